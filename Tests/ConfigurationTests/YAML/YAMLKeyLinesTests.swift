import Configuration
import Testing

@Suite("The lines of a key in a YAML file", .timeLimit(.minutes(30)))
struct YAMLKeyLinesTests {
  private func edited(_ text: String, _ edit: (inout YAMLKeyLines) -> Void) -> String {
    var lines = YAMLKeyLines(text)
    edit(&lines)
    return lines.text
  }

  @Test("are replaced, and a comment behind the value stays")
  func replaced() {
    let text = "# ports\nnmea-port: 0  # for the plotter\nnmea-port-x: 1\nmode: 0660\n"
    #expect(
      edited(text) { $0.set("nmea-port", to: ["nmea-port: 10110"]) }
        == "# ports\nnmea-port: 10110  # for the plotter\nnmea-port-x: 1\nmode: 0660\n")
    #expect(
      edited("name: '#1 # x' # y\n") { $0.set("name", to: ["name: 'b'"]) } == "name: 'b'  # y\n")
  }

  @Test("are added below the comment that shows the key, else at the end")
  func added() {
    let text = "# The port.\n# nmea-port: 0\n# Its address.\nmode: 0660"
    #expect(
      edited(text) { $0.set("nmea-port", to: ["nmea-port: 10110"]) }
        == "# The port.\n# nmea-port: 0\nnmea-port: 10110\n# Its address.\nmode: 0660\n")
    #expect(edited(text) { $0.set("a", to: ["a: 1"]) } == text + "\na: 1\n")
    #expect(edited("") { $0.set("a", to: ["a: 1"]) } == "a: 1\n")
    // A comment between the lines of another key is no place for a key.
    let list = "sensors:\n# mount: auto\n  - {chip: BMP280}\n"
    #expect(edited(list) { $0.set("mount", to: ["mount: auto"]) } == list + "mount: auto\n")
  }

  @Test("include the indented lines of the value, and no comment that follows")
  func blocks() {
    let text =
      "a: 1\nreceiver:\n  port: x\n  # wired\n  pps: y\n\n# sensors of the mast\nsensors:\n- b\n"
    #expect(
      edited(text) { $0.set("receiver", to: ["receiver:", "  port: z"]) }
        == "a: 1\nreceiver:\n  port: z\n\n# sensors of the mast\nsensors:\n- b\n")
    #expect(
      edited(text) { $0.remove("receiver") } == "a: 1\n\n# sensors of the mast\nsensors:\n- b\n")
    #expect(edited(text) { $0.remove("sensors") }.hasSuffix("# sensors of the mast\n"))
    #expect(edited(text) { $0.remove("port") } == text)
  }

  @Test("with carriage returns are found")
  func carriageReturns() {
    #expect(edited("a: 1\r\nb: 2\r\n") { $0.set("a", to: ["a: 3"]) } == "a: 3\nb: 2\r\n")
  }
}
