// The only conversion of a Double to an integer. The standard one stops the program for NaN and for
// values outside the integer's range, which input of any kind can cause.

extension FixedWidthInteger {
  /// The integer part of `value`, limited to the range of the type; 0 for NaN.
  @inlinable
  public init(bounded value: Double) {
    let whole = value.rounded(.towardZero)
    // The conversion to Int64 is not generic, and much faster.
    if let number = Int64(exactly: whole) {
      self = Self(clamping: number)
    } else {
      self = Self(exactly: whole) ?? (value > 0 ? .max : value < 0 ? .min : 0)
    }
  }
}

extension UInt64 {
  /// The whole nanoseconds of a duration in seconds; 0 for a negative duration and for NaN, at most
  /// 584 years.
  @inlinable
  public init(nanosecondsIn seconds: Double) { self.init(bounded: seconds * 1e9) }
}

// These hide the standard conversions within the package: a use is a warning, and an error in
// `.ci/run`, in tests in `Scripts/nightly`. Each type needs its own: one in an extension of a
// protocol would not hide them.

extension Int {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension Int8 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension Int16 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension Int32 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension Int64 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension UInt {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension UInt8 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension UInt16 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension UInt32 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}

extension UInt64 {
  @available(*, deprecated, message: "stops the program outside the range; use init(bounded:)")
  @inlinable
  package init(_ value: Double) { self.init(bounded: value) }
}
