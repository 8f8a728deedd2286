"""The studio: builds a scene in Blender, renders it with Cycles, and asks what the camera sees.

Blender (the module bpy) is imported when the first picture is taken, and only here.
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.training import faces, labels, meshes, stage
from calibration.training.scene import Camera, Die, Floats, Lamp, Light, Scene
from calibration.training.stage import Matter, Thing

Picture = NDArray[np.float32]
SAMPLES = 4


class Studio:
    """Takes pictures of scenes, one after another; holds Blender's one global state."""

    def __init__(self, samples: int = SAMPLES, threads: int = 1) -> None:
        """Raises ImportError with a remedy where Blender's module is not installed."""
        try:
            import bpy  # noqa: PLC0415 : a large optional module
        except ImportError as missing:
            raise ImportError("Rendering needs Blender: install the extra 'training'.") from missing
        self.bpy: Any = bpy
        self.samples = samples
        self.threads = threads

    def take(self, scene: Scene) -> tuple[Picture, list[Floats]]:
        """The picture (h, w, 3), linear light, and for each die which probes (36,) are seen."""
        self.bpy.ops.wm.read_factory_settings(use_empty=True)
        self._settings(scene.camera)
        self._camera(scene.camera)
        self._room(scene.light)
        for lamp in scene.light.lamps:
            self._lamp(lamp)
        for thing in stage.things(scene):
            self._thing(thing)
        bodies = self._dice(scene)
        self.bpy.context.view_layer.update()
        clear = [self._clear(scene, die, body) for die, body in zip(scene.dice, bodies, strict=True)]
        return self._render(scene.camera), clear

    def _settings(self, camera: Camera) -> None:
        scene = self.bpy.context.scene
        render = scene.render
        render.engine = "CYCLES"
        cycles = scene.cycles
        render.resolution_x, render.resolution_y, render.resolution_percentage = (
            camera.width,
            camera.height,
            100,
        )
        render.threads_mode, render.threads = "FIXED", self.threads
        render.image_settings.file_format = "OPEN_EXR"
        render.image_settings.color_depth = "32"
        cycles.device, cycles.samples = "CPU", self.samples
        cycles.use_adaptive_sampling = False
        cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
        cycles.denoising_prefilter = "FAST"
        cycles.denoising_quality = "FAST"
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 5, 1, 1
        cycles.transmission_bounces, cycles.transparent_max_bounces = 5, 4
        cycles.use_light_tree = False
        cycles.caustics_reflective = cycles.caustics_refractive = False
        cycles.sample_clamp_indirect = 4.0
        cycles.blur_glossy = 1.0
        scene.view_settings.view_transform = "Standard"

    def _camera(self, camera: Camera) -> None:
        data = self.bpy.data.cameras.new("camera")
        data.sensor_width, data.sensor_fit, data.lens = 36.0, "AUTO", camera.focal
        data.clip_start, data.clip_end = 0.1, 5000.0
        if camera.fstop > 0:
            data.dof.use_dof = True
            data.dof.focus_distance, data.dof.aperture_fstop = camera.focus, camera.fstop / 10
        shown = self._link(data, camera.pose.matrix(), camera.pose.centre)
        self.bpy.context.scene.camera = shown

    def _link(self, data: Any, turn: Floats, centre: tuple[float, float, float]) -> Any:
        shown = self.bpy.data.objects.new(data.name, data)
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = turn, centre
        shown.matrix_world = matrix.T.tolist()  # Blender takes plain lists column by column
        self.bpy.context.scene.collection.objects.link(shown)
        return shown

    def _lamp(self, lamp: Lamp) -> None:
        data = self.bpy.data.lights.new("lamp", "AREA")
        data.shape, data.size = "DISK", lamp.radius * 2
        data.energy, data.color = lamp.power, lamp.rgb
        self._link(data, stage.facing(lamp.place), lamp.place)

    def _room(self, light: Light) -> None:
        world = self.bpy.data.worlds.new("room")
        self.bpy.context.scene.world = world
        world.use_nodes = True
        world.cycles.sampling_method = "NONE"  # a map for it costs more than the rest of a picture
        nodes, links = world.node_tree.nodes, world.node_tree.links
        picture = nodes.new("ShaderNodeTexEnvironment")
        picture.image = self._image("room", stage.room(light), colour="Non-Color")
        background = next(node for node in nodes if node.type == "BACKGROUND")
        background.inputs["Strength"].default_value = light.room
        links.new(picture.outputs["Color"], background.inputs["Color"])

    def _image(self, name: str, pixels: Picture, colour: str = "sRGB") -> Any:
        height, width = pixels.shape[:2]
        image = self.bpy.data.images.new(
            name, width, height, alpha=True, float_buffer=colour == "Non-Color"
        )
        image.colorspace_settings.name = colour
        image.alpha_mode = "CHANNEL_PACKED"
        full = np.ones((height, width, 4), np.float32)
        full[..., : pixels.shape[2] if pixels.ndim == 3 else 3] = (
            pixels if pixels.ndim == 3 else pixels[..., None]
        )
        image.pixels.foreach_set(np.ascontiguousarray(full[::-1]).ravel())
        image.update()
        return image

    def _thing(self, thing: Thing) -> Any:
        return self._body(thing.mesh, self._matter(thing.matter), thing.pose.matrix(), thing.pose.centre)

    def _dice(self, scene: Scene) -> list[Any]:
        matters = [self._matter(stage.die_matter(look, faces.draw(look))) for look in scene.looks]
        shapes = [
            self._mesh(meshes.die(look), matter) for look, matter in zip(scene.looks, matters, strict=True)
        ]
        return [self._link(shapes[die.look], die.pose.matrix(), die.pose.centre) for die in scene.dice]

    def _body(
        self, mesh: meshes.Mesh, matter: Any, turn: Floats, centre: tuple[float, float, float]
    ) -> Any:
        return self._link(self._mesh(mesh, matter), turn, centre)

    def _mesh(self, mesh: meshes.Mesh, matter: Any) -> Any:
        data = self.bpy.data.meshes.new("body")
        data.from_pydata(mesh.points.tolist(), [], mesh.faces.tolist())
        data.uv_layers.new(name="map").data.foreach_set("uv", mesh.uv.astype(np.float32).ravel())
        data.polygons.foreach_set("use_smooth", np.full(len(mesh.faces), mesh.smooth))
        if mesh.normals is not None:
            data.normals_split_custom_set_from_vertices(mesh.normals.tolist())
        data.materials.append(matter)
        data.update()
        return data

    def _matter(self, matter: Matter) -> Any:
        made = self.bpy.data.materials.new("matter")
        made.use_nodes = True
        nodes, links = made.node_tree.nodes, made.node_tree.links
        shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
        for name, value in matter.values().items():
            shader.inputs[name].default_value = value
        if matter.picture is not None:
            drawn = nodes.new("ShaderNodeTexImage")
            drawn.image = self._image("drawn", matter.picture)
            links.new(drawn.outputs["Color"], shader.inputs["Base Color"])
            if matter.clear:
                self._clearness(made, drawn, shader, matter)
        if matter.height is not None and matter.depth > 0:
            relief = nodes.new("ShaderNodeTexImage")
            relief.image = self._image("relief", matter.height, colour="Non-Color")
            bump = nodes.new("ShaderNodeBump")
            bump.inputs["Distance"].default_value = matter.depth
            links.new(relief.outputs["Color"], bump.inputs["Height"])
            links.new(bump.outputs["Normal"], shader.inputs["Normal"])
        return made

    def _clearness(self, made: Any, drawn: Any, shader: Any, matter: Matter) -> None:
        """Lets light through where no ink is (the picture's alpha is 1 - ink), shadows included."""
        nodes, links = made.node_tree.nodes, made.node_tree.links
        share = nodes.new("ShaderNodeMath")
        share.operation = "MULTIPLY"
        share.inputs[1].default_value = matter.clear
        links.new(drawn.outputs["Alpha"], share.inputs[0])
        links.new(share.outputs[0], shader.inputs["Transmission Weight"])
        path, through, mix = (
            nodes.new(f"ShaderNode{n}") for n in ("LightPath", "BsdfTransparent", "MixShader")
        )
        links.new(drawn.outputs["Color"], through.inputs["Color"])
        shadow = nodes.new("ShaderNodeMath")
        shadow.operation = "MULTIPLY"
        links.new(path.outputs["Is Shadow Ray"], shadow.inputs[0])
        links.new(share.outputs[0], shadow.inputs[1])
        links.new(shadow.outputs[0], mix.inputs[0])
        links.new(shader.outputs[0], mix.inputs[1])
        links.new(through.outputs[0], mix.inputs[2])
        output = next(node for node in nodes if node.type == "OUTPUT_MATERIAL")
        links.new(mix.outputs[0], output.inputs["Surface"])

    def _clear(self, scene: Scene, die: Die, body: Any) -> Floats:
        """Which probes (36,) of a die's upper face the camera sees, as 0 or 1."""
        eye = np.array(scene.camera.pose.centre)
        graph = self.bpy.context.evaluated_depsgraph_get()
        seen = []
        for probe in labels.probes(scene, die):
            way = probe - eye
            hit, _, _, _, first, _ = self.bpy.context.scene.ray_cast(
                graph, eye.tolist(), (way / np.linalg.norm(way)).tolist()
            )
            seen.append(float(hit and first.name == body.name))
        return np.array(seen)

    def _render(self, camera: Camera) -> Picture:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.exr"
            self.bpy.context.scene.render.filepath = str(path)
            self.bpy.ops.render.render(write_still=True)
            image = self.bpy.data.images.load(str(path))
            image.colorspace_settings.name = "Non-Color"
            pixels = np.empty(camera.width * camera.height * 4, np.float32)
            image.pixels.foreach_get(pixels)
        return pixels.reshape(camera.height, camera.width, 4)[::-1, :, :3].copy()
