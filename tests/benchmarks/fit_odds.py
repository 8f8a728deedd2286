"""Fit the weights of vision/odds.py on three sets of photographs and print them.

Run as ``python tests/benchmarks/fit_odds.py``; paste what it prints. It never sees the sets that
bench_dice.py reports as held out. For each set it also says what weights fitted without it read.
"""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from vision import dice
from vision.choice import candidates
from vision.faces import Face
from vision.odds import features
from vision.pips import find_pips

PHOTOGRAPHS = Path(__file__).parents[2].parent / "shared" / "dice"
TUNED = (
    "DamianTab/DiceDetection",
    "nell-byler/dice_detection",
    "matteop65/Dice_Detection_Recognition",
)
RIDGE = 3e-3
"""Penalty on squared weights of features scaled to unit deviation, against the mean log loss."""


def main() -> None:
    rows = [r for r in json.loads((PHOTOGRAPHS / "labels.json").read_text()) if r["repo"] in TUNED]
    seen = [(row, *_faces(row)) for row in rows]
    for repo in TUNED:
        weights = fit([s for s in seen if s[0]["repo"] != repo])
        exact = [_exact(row, faces, weights) for row, faces, _ in seen if row["repo"] == repo]
        print(f"{repo}: {100 * np.mean(exact):.1f} % exact with weights fitted on the other two")
    weights = fit(seen)
    each = (len(weights) - 7) // 3
    for start in (0, each, 2 * each, 3 * each):
        print(" ".join(f"{w:.2f}," for w in weights[start : start + each]))


def _faces(row: dict) -> tuple[list[Face], list[int]]:
    """Candidates of one photograph, and for each whether it is one of the labelled dice."""
    picture = cv2.imread(str(PHOTOGRAPHS / row["image"]))
    scale = min(dice.WORKING_PX / max(picture.shape[:2]), dice.LARGEST_ZOOM)
    image, lab = dice.prepared(picture, scale)
    faces = [c.face for c in candidates(dice.likely(find_pips(image, lab)), lab)]
    left = list(row["dice"])
    truth = [0] * len(faces)
    for index in np.argsort([-f.score for f in faces]):
        for label in left:
            if _same(faces[index], label, scale):
                left.remove(label)
                truth[index] = 1
                break
    return faces, truth


def _same(face: Face, label: dict, scale: float) -> bool:
    if int(face.value) != label["pips"]:
        return False
    if label["box"] is None:
        return True
    x, y, width, height = (v * scale for v in label["box"])
    away = np.hypot(face.centre[0] - x - width / 2, face.centre[1] - y - height / 2)
    return bool(away <= 0.35 * max(width, height, face.side))


def fit(seen: list[tuple[dict, list[Face], list[int]]]) -> np.ndarray:
    """Newton's method for a ridge logistic regression; the constants of the groups hold the bias."""
    x = np.array([features(face) for _, faces, _ in seen for face in faces], float)
    y = np.array([t for *_, truth in seen for t in truth], float)
    spread = x.std(axis=0)
    spread[spread < 1e-4] = np.inf
    z = np.column_stack([x / spread, np.ones(len(x))])
    ridge = np.append(np.full(x.shape[1], RIDGE), 1e-9)
    weights = np.zeros(z.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-z @ weights))
        slope = z.T @ (p - y) / len(y) + ridge * weights
        weights -= np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z / len(y) + np.diag(ridge), slope)
    result = weights[:-1] / spread
    each = (len(result) - 7) // 3
    result[[0, each, 2 * each]] += weights[-1]
    return result


def _exact(row: dict, faces: list[Face], weights: np.ndarray) -> bool:
    read = Counter(int(f.value) for f in faces if features(f) @ weights > 0)
    return read == Counter(d["pips"] for d in row["dice"])


if __name__ == "__main__":
    main()
