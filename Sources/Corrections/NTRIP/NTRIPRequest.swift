import Configuration

/// A request to a caster: for a stream, or for the source table.
/// - Source: NTRIP 1.0 (RTCM paper 200-2004/SC104-STD) and 2.0 (RTCM 10410.1), as described by
///   https://www.use-snip.com/kb/knowledge-base/ntrip-rev1-versus-rev2-formats/.
package struct NTRIPRequest {
  /// The caster.
  package var source: NTRIPSource
  /// nil for the source table.
  package var mountPoint: String?
  /// The revision of the protocol.
  package var version: NTRIPSource.Version
  /// User and password.
  package var credentials: NTRIPCredentials?
  /// A GGA sentence with its line end.
  package var position: [UInt8]?
  /// The caster's demand for digest authentication; nil for that of HTTP's `Basic`.
  package var challenge: DigestChallenge?

  /// Makes a request.
  package init(
    source: NTRIPSource, mountPoint: String?, version: NTRIPSource.Version,
    credentials: NTRIPCredentials? = nil, position: [UInt8]? = nil
  ) {
    (self.source, self.mountPoint, self.version) = (source, mountPoint, version)
    (self.credentials, self.position) = (credentials, position)
  }

  /// The bytes to send.
  package var bytes: [UInt8] {
    var lines = ["GET /\(mountPoint ?? "") HTTP/1.\(version == .one ? 0 : 1)"]
    if version == .two {
      lines.append("Host: \(NTRIPSource.authority(source.host, source.port))")
      lines.append("Ntrip-Version: Ntrip/2.0")
    }
    // Casters recognise a client by the first word.
    lines.append("User-Agent: NTRIP Lodestar")
    if version == .two {
      lines.append("Accept: */*")
      if let position {
        let sentence = String(decoding: position, as: UTF8.self)
        lines.append("Ntrip-GGA: \(sentence.trimmed)")
      }
    }
    if let credentials { lines.append("Authorization: \(authorization(credentials))") }
    if version == .two { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private func authorization(_ credentials: NTRIPCredentials) -> String {
    guard let challenge else { return "Basic \(credentials.basic)" }
    let (user, password) = credentials.parts
    let nonce = String(UInt64.random(in: .min ... .max), radix: 16)
    return challenge.answer(
      user: user, password: password, path: "/\(mountPoint ?? "")", clientNonce: nonce)
  }
}
