#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The sine and cosine of an angle in degrees, for drawings.
package func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  let radians = degrees * .pi / 180
  return (sin(radians), cos(radians))
}
