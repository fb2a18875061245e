import Quantities

/// Learns how late the magnetometer speaks after the gyroscope, from motion alone: a late field seems
/// to turn against the rotation, and does so in proportion to the rate.
///
/// A scalar Kalman filter on the latency. Source of the effect and its size (11 to 16 ms on recorded
/// motion): measured on BROAD, doi 10.3390/data6070072.
struct FieldLatency: Equatable, Sendable {
  struct Parameters: Equatable, Sendable {
    /// What is known beforehand, s, one sigma about zero.
    var initialSigma = 0.015
    /// Error of a field sample, as a fraction of the field, times the root of its correlation time.
    /// Small: the room's bent field is taken for latency; large: learning takes long. √s.
    var fieldNoise = 0.05
    /// A latency changes with a sensor's settings only: s/√s.
    var drift = 0.00002
    /// No part is later than this, s.
    var largest = 0.06
  }

  var parameters = Parameters()
  /// The latency, s.
  private(set) var seconds = 0.0
  private var variance: Double

  init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    variance = parameters.initialSigma * parameters.initialSigma
  }

  /// The field as the sensor would have read it had it been on time; `known` is how much older than the
  /// rate its timestamp says that it is, s.
  func advance(_ m: SIMD3<Double>, rate w: SIMD3<Double>, known: Double) -> SIMD3<Double> {
    // A body vector turns against the body: m(t) = m(t - latency) - latency w x m, second order kept.
    let late = seconds + known
    let first = w.cross(m) * -late
    return m + first + w.cross(first) * (-late / 2)
  }

  /// Learns from one mean over `seconds`: `residual` is measured less reference field and `turning` is
  /// rate x field, both in the earth frame, in microtesla and microtesla per second; `strength` is the
  /// field's; `weight` is a factor on the variance, 1 for an undisturbed field.
  mutating func update(
    residual: SIMD3<Double>, turning: SIMD3<Double>, strength: Double, weight: Double,
    seconds dt: Double
  ) {
    let noise = parameters.fieldNoise * strength
    let r = noise * noise * weight / dt
    variance += parameters.drift * parameters.drift * dt
    // The three components carry equal noise: the update is that of one measurement along `turning`.
    // `residual` was formed with the present latency: what remains is (latency error) x turning.
    let information = turning.lengthSquared / r
    let gain = variance / (1 + variance * information)
    seconds += gain * turning.dot(residual) / r
    seconds = min(max(seconds, 0), parameters.largest)
    variance = gain
  }
}
