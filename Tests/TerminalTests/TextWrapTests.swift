import Terminal
import Testing

@Suite("Wrapped text", .timeLimit(.minutes(30)))
struct TextWrapTests {
  @Test("lines end at spaces and are at most as long as the width")
  func spaces() {
    #expect(wrapped("one two  three four", width: 9) == ["one two", "three", "four"])
    #expect(wrapped("one", width: 3) == ["one"])
    #expect(wrapped("", width: 9).isEmpty && wrapped("one", width: 0).isEmpty)
  }

  @Test("a word longer than the width stays whole on a line of its own, so that it can be copied")
  func longWord() {
    let path = "/dev/serial/by-id/usb-u-blox_AG_receiver"
    #expect(wrapped("read \(path) at 9600", width: 12) == ["read", path, "at 9600"])
    #expect(wrapped(path, width: 12) == [path])
  }

  @Test("a command stays whole or continues after its pipe, and its comment has lines of its own")
  func commands() {
    #expect(commandLines("ls    # all", width: 40) == ["$ ls    # all"])
    #expect(
      commandLines("sudo modprobe i2c-dev    # or attach an adapter", width: 26)
        == ["$ sudo modprobe i2c-dev", "# or attach an adapter"])
    #expect(
      commandLines("printf 'dtparam=i2c_arm=on' | sudo tee -a FILE", width: 36)
        == ["$ printf 'dtparam=i2c_arm=on' |", "    sudo tee -a FILE"])
    let long = "sudo systemctl disable --now serial-getty@ttyAMA0.service"
    #expect(commandLines(long, width: 36) == ["$ " + long])
    #expect(commandLines("# one two", width: 7) == ["# one", "# two"])
  }
}
