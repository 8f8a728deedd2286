"""A scene as shapes and materials, ready for a renderer but knowing none."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.training import clutter, faces, meshes, noise, props, surfaces
from calibration.training.placing import about, numbers
from calibration.training.scene import Floats, Light, Look, Pose, Rgb, Scene, Surface

Picture = NDArray[np.float32]
TABLE = 400.0  # half the table's side in centimetres


@dataclass(frozen=True)
class Matter:
    """A material: a colour or a ``picture`` (h, w, 3 or 4) in sRGB, ``height`` (h, w) with its unit in cm.

    ``clear`` is how far light passes where the picture's fourth channel is 1.
    """

    rgb: Rgb = (0.5, 0.5, 0.5)
    picture: Picture | None = None
    height: Picture | None = None
    depth: float = 0.0
    roughness: float = 0.5
    shine: float = 0.5
    metal: float = 0.0
    clear: float = 0.0
    soft: float = 0.0
    coat: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """The material's constants by the names of Blender's principled shader."""
        linear = tuple(float(v) ** 2.2 for v in self.rgb)
        return {
            "Base Color": (*linear, 1.0),
            "Roughness": self.roughness,
            "Specular IOR Level": self.shine,
            "Metallic": self.metal,
            "Subsurface Weight": self.soft,
            "Subsurface Radius": (0.12, 0.1, 0.07),
            "Coat Weight": self.coat,
            "Coat Roughness": 0.05,
            **self.extra,
        }


@dataclass(frozen=True)
class Thing:
    mesh: meshes.Mesh
    matter: Matter
    pose: Pose


def things(scene: Scene) -> list[Thing]:
    """Everything but the dice: the table and what lies and stands on it."""
    found = tables(scene)
    found += [printed(flat, level) for level, flat in enumerate(props.flats(scene))]
    found += [solid(body) for body in props.solids(scene)]
    for plain in clutter.plains(scene):
        matter = Matter(rgb=plain.rgb, roughness=plain.roughness, soft=plain.soft)
        found.append(Thing(plain.mesh, matter, plain.pose))
    return found


def tables(scene: Scene) -> list[Thing]:
    """The table, or a mat with another table below it."""
    spread = clutter.mat(scene)
    angle = scene.surface.art % 628 / 100
    turn = numbers(about("z", angle))
    if spread is None:
        return [
            Thing(
                tiled(scene.surface, (TABLE, TABLE)), covering(scene.surface), Pose((0.0, 0.0, 0.0), turn)
            )
        ]
    below = Thing(
        tiled(spread.below, (TABLE, TABLE)), covering(spread.below), Pose((0.0, 0.0, -0.25), turn)
    )
    return [Thing(tiled(scene.surface, spread.half), covering(scene.surface), spread.pose), below]


def tiled(surface: Surface, half: tuple[float, float]) -> meshes.Mesh:
    return meshes.sheet(*half, tiles=2 * half[0] / surface.tile)


def covering(surface: Surface) -> Matter:
    tile = surfaces.draw(surface.name, surface.art)
    return Matter(
        picture=tile.rgb, height=tile.height, depth=tile.depth, roughness=tile.roughness, shine=tile.shine
    )


def printed(flat: props.Flat, level: int) -> Thing:
    """A card or a coin as a thin sheet, each a hair above the one before."""
    half = (flat.size[0] / 2, flat.size[1] / 2)
    round_one = float(flat.cover.min()) < 0.5
    mesh = meshes.disc(half[0]) if round_one else meshes.sheet(*half)
    turn = np.eye(3)
    turn[:2, :2] = flat.turn
    matter = Matter(picture=flat.rgb, roughness=0.25 if round_one else 0.5, metal=0.8 if round_one else 0.0)
    return Thing(fitted(mesh), matter, Pose((*flat.place, 0.008 * (level + 1)), numbers(turn)))


def fitted(mesh: meshes.Mesh) -> meshes.Mesh:
    """The same sheet with its whole picture on it, whatever its sides' ratio."""
    low, high = mesh.points[:, :2].min(0), mesh.points[:, :2].max(0)
    return replace(mesh, uv=((mesh.points[:, :2] - low) / (high - low))[mesh.faces])


def solid(body: props.Solid) -> Thing:
    """A wooden cube or another polyhedron."""
    mesh = meshes.die(body.look) if body.planes is None else meshes.polyhedron(body.planes, body.look.edge)
    return Thing(mesh, die_matter(body.look, body.atlas), body.pose)


def die_matter(look: Look, atlas: faces.Atlas) -> Matter:
    """A die's material with its print."""
    picture = np.concatenate([atlas.rgb, 1 - atlas.ink[..., None]], axis=2)
    depth = look.pip_radius * look.edge * 0.75 if look.relief == "drilled" else 0.0
    return Matter(
        picture=picture,
        height=1 - atlas.dent,
        depth=depth,
        roughness=look.roughness if look.material != "wood" else max(look.roughness, 0.35),
        metal=0.9 if look.material == "metal" else 0.0,
        clear=0.95 if look.material == "clear" else 0.0,
    )


def facing(place: tuple[float, float, float]) -> Floats:
    """The rotation (3, 3) of a lamp at a place so that its -z looks at the origin."""
    back = np.array(place) / np.linalg.norm(place)
    right = np.cross([0.0, 0.0, 1.0] if abs(back[2]) < 0.99 else [0.0, 1.0, 0.0], back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back], axis=1)


def room(light: Light) -> Picture:
    """The room as a panorama (64, 128, 3), linear: walls, bright and dark patches for gloss to show."""
    rng = np.random.default_rng([light.art, 9])
    walls = 0.7 + 0.25 * noise.cloud((64, 128), 1.5, rng)
    picture = np.clip(walls, 0.05, 2)[..., None] * np.array(light.room_rgb, np.float32)
    for _ in range(int(rng.integers(1, 6))):
        top, left = int(rng.integers(4, 40)), int(rng.integers(0, 110))
        patch = np.s_[top : top + int(rng.integers(3, 16)), left : left + int(rng.integers(3, 18))]
        picture[patch] *= rng.uniform(0.1, 4)
    return np.asarray(picture, np.float32)


def lamp_colour(light: Light) -> Floats:
    """The mean colour (3,) of a light's lamps, linear, its mean at 1."""
    total = np.sum(
        [np.array(lamp.rgb) * lamp.power / np.sum(np.square(lamp.place)) for lamp in light.lamps], axis=0
    )
    shade: Floats = total / total.mean()
    return shade
