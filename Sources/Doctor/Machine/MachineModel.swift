/// A machine's model, by its device tree.
package struct MachineModel: Equatable, Sendable {
  /// The name, such as `Raspberry Pi 5 Model B Rev 1.0`.
  package var name: String
  /// The compatible strings of the root node, such as `brcm,bcm2712`.
  package var compatible: [String]

  /// Makes a model.
  package init(name: String, compatible: [String]) {
    (self.name, self.compatible) = (name, compatible)
  }

  /// True for every Raspberry Pi.
  package var isRaspberryPi: Bool { name.hasPrefix("Raspberry Pi") }

  /// True for a Raspberry Pi whose header is connected to an RP1: 5, 500 and Compute Module 5.
  package var hasRP1: Bool { isRaspberryPi && isSoC("bcm2712") }

  /// Whether a section of `config.txt`, such as `pi4`, applies to this model.
  /// - Source: Raspberry Pi documentation, config.txt, "Conditional filters", "Model filters".
  func matches(section: String) -> Bool {
    switch section {
    case "all": true
    case "pi5": hasRP1
    case "pi4": isSoC("bcm2711")
    case "pi3": isSoC("bcm2837") && !name.contains("Zero")
    case "pi2": name.contains("Pi 2")
    case "pi1": isSoC("bcm2835") && !name.contains("Zero")
    case "pi0": name.contains("Zero")
    case "pi02": name.contains("Zero 2")
    case "pi0w": name.contains("Zero W")
    case "pi3+": isSoC("bcm2837") && name.contains("Plus")
    case "pi400": name.contains("Pi 400")
    case "pi500": name.contains("Pi 500")
    case "cm4": name.contains("Compute Module 4")
    case "cm5": name.contains("Compute Module 5")
    default: false
    }
  }

  private func isSoC(_ name: String) -> Bool { compatible.contains("brcm,\(name)") }
}
