/// The edge of the device that is uppermost, the reference of headings.
///
/// On a board without a screen the body frame represents the device: forward is the top edge in
/// `portrait`.
public enum CLDeviceOrientation: Int32, Sendable {
  /// Does not change the reference.
  case unknown = 0
  /// The top edge: body forward.
  case portrait = 1
  /// The bottom edge: body backward.
  case portraitUpsideDown = 2
  /// The right edge, uppermost while the top points to the left: body right.
  case landscapeLeft = 3
  /// The left edge, uppermost while the top points to the right: body left.
  case landscapeRight = 4
  /// Does not change the reference.
  case faceUp = 5
  /// Does not change the reference.
  case faceDown = 6
}
