"""Programs in tmux: their screens as text with colours, and as a page that a browser shows. Standard library only."""
import html, os, re, subprocess, time

# xterm's sixteen colours; the other 240 are a cube and greys.
sixteen = ["#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
           "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"]


def colour(number):
    if number < 16:
        return sixteen[number]
    if number >= 232:
        level = 8 + 10 * (number - 232)
        return f"#{level:02x}{level:02x}{level:02x}"
    n, levels = number - 16, (0, 95, 135, 175, 215, 255)
    return "#%02x%02x%02x" % (levels[n // 36], levels[n // 6 % 6], levels[n % 6])


class Terminals:
    """A tmux server of its own."""

    def __init__(self, folder):
        self.socket, self.count = os.path.join(folder, "tmux"), 0

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", *words], capture_output=True, text=True).stdout

    def start(self, command, columns, rows, is_dark, environment):
        self.count += 1
        name = f"t{self.count}"
        more = dict(environment, TERM="xterm-256color", COLORFGBG="15;0" if is_dark else "0;15", LC_ALL="C.UTF-8")
        words = ["env", *(f"{k}={v}" for k, v in more.items()), *command]
        self.tmux("new-session", "-d", "-s", name, "-x", str(columns), "-y", str(rows), *words)
        return name

    def keys(self, name, *keys):
        for key in keys:
            self.tmux("send-keys", "-t", name, key)
            time.sleep(0.3)

    def look(self, name, words, seconds):
        """The screen with its escape sequences, and without, once it has the words, or after some seconds."""
        end = time.monotonic() + seconds
        while True:
            screen = self.tmux("capture-pane", "-e", "-p", "-N", "-t", name)
            text = re.sub(r"\x1b\[[\d;]*m", "", screen)
            if re.search(words, text) or time.monotonic() > end:
                return screen, "\n".join(line.rstrip() for line in text.split("\n"))
            time.sleep(0.2)

    def end(self, name):
        self.tmux("kill-session", "-t", name)

    def close(self):
        self.tmux("kill-server")


def page(text, is_dark):
    """The lines with their colours as HTML; a span for each run of one colour."""
    plain, ground = ("#e5e5e5", "#000000") if is_dark else ("#000000", "#ffffff")
    ink, back, is_bold, is_reversed = None, None, False, False
    lines = []
    for line in text.rstrip("\n").split("\n"):
        parts = []
        for code, run in re.findall(r"((?:\x1b\[[\d;]*m)*)([^\x1b]*)", line):
            for numbers in re.findall(r"\x1b\[([\d;]*)m", code):
                values = [int(n or 0) for n in numbers.split(";")]
                while values:
                    n = values.pop(0)
                    if n == 0:
                        ink, back, is_bold, is_reversed = None, None, False, False
                    elif n == 1:
                        is_bold = True
                    elif n == 7:
                        is_reversed = True
                    elif n in (38, 48) and values[:1] == [5]:
                        found = colour(values[1])
                        ink, back = (found, back) if n == 38 else (ink, found)
                        values = values[2:]
                    elif 30 <= n <= 37 or 90 <= n <= 97:
                        ink = sixteen[n - 30 if n < 40 else n - 82]
                    elif 40 <= n <= 47:
                        back = sixteen[n - 40]
                    elif n == 39:
                        ink = None
                    elif n == 49:
                        back = None
            if run:
                front, behind = ink or plain, back or ground
                if is_reversed:
                    front, behind = behind, front
                parts.append(f'<span style="color:{front};background-color:{behind};{"font-weight:bold" if is_bold else ""}">{html.escape(run)}</span>')
        lines.append("".join(parts))
    body = "\n".join(lines)
    return (f'<!doctype html><meta charset="utf-8"><body style="margin:12px;background:{ground};color:{plain}">'
            f'<pre style="font:16px/19px DejaVu Sans Mono,monospace;margin:0;display:inline-block">{body}</pre>')
