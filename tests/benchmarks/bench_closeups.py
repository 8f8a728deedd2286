"""Read single dice that fill their picture, cut from the photographs trained on and enlarged.

``python tests/benchmarks/bench_closeups.py --photos DIR [--weights DIR ...]``. Each die of 30 px or more
that lies alone is cut out with 2.2 and 2.8 of its sides and made 470 px wide, number not told. The dice
were trained on, not at this size.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.training import pictures
from calibration.training.pictures import TRAINED_ON, LabelledDie, Picture
from vision import networks
from vision.dice import read
from vision.faceheads import SYMBOLS
from vision.frames import Frame, Image
from vision.judgement import RollStatus, judge

_WIDE_PX, _LEAST_PX = 470, 30


def closeups(picture: Picture) -> Iterator[tuple[Image, str]]:
    """Cut each die that lies alone out of its photograph, with its face."""
    image = picture.levels[0]
    for die in picture.dice:
        for sides in (2.2, 2.8):
            reach = sides * die.side / 2
            left, top, right, below = (int(v) for v in (*(die.centre - reach), *(die.centre + reach)))
            inside = left >= 0 and top >= 0 and right <= image.shape[1] and below <= image.shape[0]
            if die.side >= _LEAST_PX and inside and _alone(die, picture, reach):
                part = image[top:below, left:right]
                large = cv2.resize(part, (_WIDE_PX, _WIDE_PX), interpolation=cv2.INTER_LINEAR)
                yield np.asarray(large, np.uint8), SYMBOLS[die.symbol][-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--weights", type=Path, nargs="*", default=[networks.WEIGHTS])
    args = parser.parse_args()
    cv2.setNumThreads(1)
    taken = pictures.photographs(args.photos, sorted(TRAINED_ON), TRAINED_ON)
    cut = [one for picture in taken for one in closeups(picture)]
    print(f"{'one die fills the picture':36}{'pictures':>9}{'exact':>7}{'sure':>6}{'silent':>8}")
    for folder in args.weights:
        networks.WEIGHTS = folder
        exact = sure = silent = 0
        for image, face in cut:
            dice = read(Frame(image, 0.0, "closeup"))
            right = [die.face for die in dice] == [face]
            said = judge(dice, None).status is RollStatus.SURE
            exact, sure, silent = exact + right, sure + said, silent + (said and not right)
        print(f"{folder.as_posix()[-34:]:36}{len(cut):9}{exact:7}{sure:6}{silent:8}")


def _alone(die: LabelledDie, picture: Picture, reach: float) -> bool:
    others = [other for other in picture.dice if other is not die]
    return all((np.abs(o.centre - die.centre) > reach + 0.6 * o.side).any() for o in others)


if __name__ == "__main__":
    main()
