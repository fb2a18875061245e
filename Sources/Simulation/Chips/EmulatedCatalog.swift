import Chips

extension ChipModel {
  /// The emulated chip, as after power-on.
  package func emulated(_ surroundings: any Surroundings) -> any EmulatedChip {
    switch self {
    case .lis3mdl: EmulatedLIS3MDL(surroundings: surroundings)
    default: EmulatedLIS3MDL(surroundings: surroundings)
    }
  }
}
