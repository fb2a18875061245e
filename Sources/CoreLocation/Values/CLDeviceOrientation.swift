/// Which edge of the device is its top, for headings.
///
/// On a board without a screen the body frame stands for the device: forward is the top edge in
/// `portrait`.
public enum CLDeviceOrientation: Int32, Sendable {
  /// Leaves the reference as it is.
  case unknown = 0
  /// The top edge: body forward.
  case portrait = 1
  /// The bottom edge: body backward.
  case portraitUpsideDown = 2
  /// The right edge, which is uppermost while the top points to the left: body right.
  case landscapeLeft = 3
  /// The left edge, which is uppermost while the top points to the right: body left.
  case landscapeRight = 4
  /// Leaves the reference as it is.
  case faceUp = 5
  /// Leaves the reference as it is.
  case faceDown = 6
}
