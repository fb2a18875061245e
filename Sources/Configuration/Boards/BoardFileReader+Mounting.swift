import Quantities
import Yams

extension BoardFileReader {
  /// A mount: axis words, a rotation, or `auto`.
  func mounting(_ node: Node) throws(BoardFileError) -> Mounting {
    if let word = node.scalar?.string {
      guard word == "auto" else {
        throw refusal(
          node, "unknown mount '\(word)'", "{x: …, y: …, z: …}, {rotation: {…}} or auto")
      }
      return .automatic
    }
    if let rotation = node.mapping?["rotation"] {
      _ = try mapping(node, allowed: ["rotation"], called: "a mount by rotation")
      return .rotation(try angles(rotation, called: "a rotation"))
    }
    return .axes(try axes(node))
  }

  private func axes(_ node: Node) throws(BoardFileError) -> AxisMount {
    let keys = try mapping(node, allowed: ["x", "y", "z"], called: "a mount")
    func axis(_ name: String) throws(BoardFileError) -> AxisDirection {
      let words = AxisDirection.allCases.map(\.rawValue).joined(separator: ", ")
      guard let value = keys[name] else {
        throw refusal(
          node, "the key '\(name)' of the mount is missing", "x, y and z, each one of \(words)")
      }
      guard let direction = AxisDirection(rawValue: value.string ?? "") else {
        throw refusal(value, "unknown direction '\(value.string ?? "?")'", words)
      }
      return direction
    }
    let (x, y, z) = (try axis("x"), try axis("y"), try axis("z"))
    guard let mount = AxisMount(x: x, y: y, z: z) else {
      throw refusal(
        node, "x \(x), y \(y), z \(z) is not a right-handed set of axes",
        "perpendicular directions with z the cross product of x and y")
    }
    return mount
  }

  /// Heading, pitch and roll in degrees, each zero by default.
  func angles(_ node: Node, called what: String) throws(BoardFileError) -> AttitudeAngles {
    let keys = try mapping(node, allowed: ["heading", "pitch", "roll"], called: what)
    func angle(_ name: String) throws(BoardFileError) -> Angle {
      guard let value = keys[name] else { return .zero }
      guard let degrees = value.float, abs(degrees) <= 180 else {
        throw refusal(
          value, "'\(value.string ?? "?")' is not an angle of \(what)", "degrees from -180 to 180")
      }
      return Angle(degrees: degrees)
    }
    return AttitudeAngles(
      heading: try angle("heading"), pitch: try angle("pitch"), roll: try angle("roll"))
  }
}
