/// A latitude or longitude as an integer in units of the last printed decimal of a minute, without
/// rounding.
public struct Coordinate: Equatable, Sendable {
  /// Latitude or longitude.
  public enum Axis: Sendable {
    /// Up to 90 degrees, N or S.
    case latitude
    /// Up to 180 degrees, E or W.
    case longitude
  }

  /// Minutes of arc times ten to the power of `decimals`; north and east positive.
  public let scaledMinutes: Int64
  /// Decimals of the minutes that the receiver printed.
  public let decimals: Int

  /// Reads degrees and minutes in one number: `5546.95` is 55 degrees and 46.95 minutes.
  /// - Returns: nil for more than 60 minutes, to which receivers round, beyond the axis' limit, or
  ///   without a hemisphere of the axis.
  init?(_ number: DecimalNumber, hemisphere: UInt8?, _ axis: Axis) {
    let positive = axis == .latitude ? UInt8(ascii: "N") : UInt8(ascii: "E")
    let negative = axis == .latitude ? UInt8(ascii: "S") : UInt8(ascii: "W")
    guard hemisphere == positive || hemisphere == negative, number.digits >= 0 else { return nil }
    // More decimals are below any resolution, and sixty times such a number overflows an Int64.
    let mostDecimals = 16
    decimals = min(number.decimals, mostDecimals)
    let digits = number.digits / DecimalNumber.powerOfTen(number.decimals - decimals)
    let minute = DecimalNumber.powerOfTen(decimals)
    let wholes = digits / minute
    let minutes = wholes % 100 * minute + digits % minute
    let degrees = wholes / 100
    let limit: Int64 = axis == .latitude ? 90 : 180
    guard minutes <= 60 * minute, degrees < limit || (degrees == limit && minutes == 0) else {
      return nil
    }
    let magnitude = degrees * 60 * minute + minutes
    scaledMinutes = hemisphere == negative ? -magnitude : magnitude
  }

  /// Decimal degrees, rounded once.
  public var degrees: Double {
    Double(scaledMinutes) / (60 * Double(DecimalNumber.powerOfTen(decimals)))
  }
}
