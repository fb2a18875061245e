/// The differences between Infineon's DPS310 and Goertek's chips of the same registers.
///
/// - Source: Infineon DPS310 data sheet version 1.2 (COEF_SRCE); Infineon/DPS310-Pressure-Sensor
///   issue 20 (an SPL06 does not have it, and has the coefficients of its external thermometer);
///   ArduPilot AP_Baro_SPL06.cpp and PX4 SPL06.hpp (TMP_CFG bit 7); for the SPL07-003: PX4
///   SPL07.cpp, Kenneract's SPL07-003.cpp and .h, Adafruit's adafruit_spa06_003.py.
public struct DPS310Variant: Equatable, Sendable {
  /// Where it stands which thermometer the coefficients belong to.
  enum Thermometer: Equatable, Sendable {
    /// Bit 7 of register 0x28 (TMP_COEF_SRCE), as in TMP_CFG.
    case named
    /// Bit 7 of TMP_CFG, always so.
    case always(UInt8)
  }

  let model: ChipModel
  let identity: UInt8
  let thermometer: Thermometer
  /// Whether register 0x32 shows a wrong fuse, for which Infineon's library has a sequence of
  /// writes.
  let hasFuse: Bool
  /// The number of the coefficients' bytes.
  let coefficientBytes: Int
  /// The bits of PRS_CFG that the chip keeps.
  let keptPressureSettings: UInt8
  /// The bits of TMP_CFG that the chip keeps.
  let keptTemperatureSettings: UInt8
  /// The bits of MEAS_CFG that choose what is measured, and by which thermometer.
  let keptMeasurement: UInt8

  /// Infineon's DPS310.
  public static var dps310: DPS310Variant {
    DPS310Variant(
      model: .dps310, identity: 0x10, thermometer: .named, hasFuse: true,
      coefficientBytes: DPS310Calibration.count, keptPressureSettings: 0x7F,
      keptTemperatureSettings: 0xF7, keptMeasurement: 0x07)
  }

  /// Goertek's SPL06-001 and SPL06-007. Register 0x28 reads 0 there, though the coefficients are
  /// those of the external thermometer.
  public static var spl06: DPS310Variant {
    DPS310Variant(
      model: .spl06, identity: 0x10, thermometer: .always(0x80), hasFuse: false,
      coefficientBytes: DPS310Calibration.count, keptPressureSettings: 0x7F,
      keptTemperatureSettings: 0xF7, keptMeasurement: 0x07)
  }

  /// Goertek's SPL07-003 and SPA06-003: two coefficients more, and the rates' fields have four
  /// bits, so that the thermometer is chosen by bit 3 of MEAS_CFG. The coefficients belong to the
  /// one that a reset leaves.
  public static var spl07: DPS310Variant {
    DPS310Variant(
      model: .spl07, identity: 0x11, thermometer: .always(0), hasFuse: false,
      coefficientBytes: DPS310Calibration.longCount, keptPressureSettings: 0xFF,
      keptTemperatureSettings: 0xFF, keptMeasurement: 0x0F)
  }
}
