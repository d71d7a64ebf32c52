"""Inside the Blender with a window: wait, move the mouse, press buttons of the panel, take pictures."""

import subprocess
import time
from pathlib import Path

import bpy

SHARED = Path("/shared")
TICK_SECONDS = 0.04
HEADER_BELOW = 32  # pixels from the middle of a setting to that of a header right below it


def run(steps):
    """Go through a generator by Blender's own timer, one step a tick, so that the window lives in between."""

    def tick():
        try:
            next(steps)
        except StopIteration:
            return None
        return TICK_SECONDS

    bpy.app.timers.register(tick, first_interval=2.0, persistent=True)


def wait(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield


def wait_until(is_true, what, seconds=420):
    """Give up after a while: a test must end."""
    end = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s until {what}")
        yield


def picture(name):
    """The whole screen, once it is drawn; the window lives on meanwhile."""
    yield from wait(1.2)
    taken = subprocess.Popen(["import", "-window", "root", str(SHARED / f"{name}.png")])
    yield from wait_until(lambda: taken.poll() is not None, "the picture is taken", 60)


def quit_blender():
    """As the menu does; Blender goes when its window gets the next event."""
    (SHARED / "quits").touch()
    bpy.ops.wm.quit_blender()
    while True:
        move_mouse(*(int(50 + 10 * (time.monotonic() % 7)),) * 2)
        yield


def window():
    return bpy.context.window_manager.windows[0]


def viewport():
    """The 3D viewport, and its sidebar."""
    area = next(area for area in window().screen.areas if area.type == "VIEW_3D")
    return area, next(region for region in area.regions if region.type == "UI")


def redraw():
    """What a script changes does not redraw by itself."""
    for area in window().screen.areas:
        area.tag_redraw()


def show_sidebar():
    area, sidebar = viewport()
    area.spaces.active.show_region_ui = True
    yield from wait(1.5)
    sidebar.active_panel_category = "Stiction"
    area.tag_redraw()
    yield from wait(1.0)


def show_physics_tab():
    area = next(area for area in window().screen.areas if area.type == "PROPERTIES")
    area.spaces.active.context = "PHYSICS"


def move_mouse(x, y):
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=int(x), y=int(y))


def press(key, value="PRESS"):
    """A key or a button of the mouse, where the mouse is."""
    window().event_simulate(type=key, value=value, x=_mouse[0], y=_mouse[1])


_mouse = [0, 0]


def find_button(command):
    """Where the sidebar has the button of a Python command: what the mouse is over tells its own."""
    return (yield from _find(command, "copy_python_command_button"))


def find_setting(data_path):
    """Where the sidebar has a setting, by its path from the object or the scene."""
    return (yield from _find(data_path, "copy_data_path_button"))


def _find(words, copying):
    area, sidebar = viewport()
    for part in (0.5, 0.12, 0.7, 0.93):  # across a row of buttons
        x = sidebar.x + int(part * (sidebar.width - 20))
        places = []
        for y in range(sidebar.y + sidebar.height - 6, sidebar.y + 4, -9):
            move_mouse(x, y)
            yield
            found = _copied_under_mouse(area, sidebar, copying)
            if found == words:
                places.append((x, y))
            elif places:
                break
        if places:
            return places[len(places) // 2]
    raise LookupError(f"the panel does not have {words}")


def _copied_under_mouse(area, sidebar, copying):
    copy = getattr(bpy.ops.ui, copying)
    with bpy.context.temp_override(window=window(), area=area, region=sidebar):
        if not copy.poll():
            return None
        copy()
    return bpy.context.window_manager.clipboard


def press_button(command):
    """Find a button of the panel as it is now, and press it."""
    redraw()
    yield from wait(0.8)
    yield from click((yield from find_button(command)))


def toggle_part_below(data_path):
    """Open or close the part of a panel whose header follows a setting."""
    redraw()
    yield from wait(0.8)
    x, y = yield from find_setting(data_path)
    yield from click((x, y - HEADER_BELOW))


def click(place):
    _mouse[:] = place
    move_mouse(*place)
    yield from wait(0.3)
    press("LEFTMOUSE")
    yield
    press("LEFTMOUSE", "RELEASE")
    yield from wait(0.2)
