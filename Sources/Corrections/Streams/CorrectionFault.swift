import Chips
import LinuxIO
import Quantities

/// Why no corrections come. The description is one line without the source: the fault, and what to
/// do.
package enum CorrectionFault: Error, Equatable, Sendable {
  /// The connection failed.
  case network(NetworkError)
  /// The serial port failed.
  case port(BusError)
  /// The file with user and password; the reason.
  case credentials(String)
  /// The session was stopped.
  case stopped
  /// The other side closed the connection.
  case closed
  /// The caster closed the connection before the end of its answer.
  case closedBeforeAnswer
  /// The caster did not answer in time.
  case noAnswer(seconds: Double)
  /// The header or a line of it exceeds the limit.
  case longHeader
  /// What answers is no caster; the beginning of what it sends.
  case notNTRIP(String)
  /// The server sends RTCM 3 before a request.
  case sendsUnasked
  /// A page for a browser.
  case webPage
  /// The source table in place of the stream; nil if no stream was requested.
  case tableInPlaceOfData(mountPoint: String)
  /// 401, or an NTRIP 1 text of that meaning.
  case unauthorized(hasCredentials: Bool)
  /// 403.
  case forbidden(mountPoint: String?)
  /// 404.
  case noMountPoint(String?)
  /// Another place is named.
  case moved(to: String)
  /// The caster does not know the request; the status.
  case unknownRequest(Int)
  /// The caster cannot serve now; the status and its reason.
  case busy(Int, String)
  /// Another refusal, in the caster's words.
  case refused(String)
  /// The chunks of HTTP cannot be read.
  case brokenChunks
  /// The source table exceeds the limit.
  case longTable
  /// The table has no stream.
  case emptyTable
  /// No stream of the table can be chosen by the position.
  case noneNear
  /// No data for so long; whether the position was sent.
  case stalled(seconds: Double, sendsPosition: Bool?)
  /// Data, but no RTCM 3 message for so long.
  case noMessages(seconds: Double)
}

extension CorrectionFault {
  /// The fault without the name of a mount point.
  var withoutMountPoint: CorrectionFault {
    switch self {
    case .forbidden: .forbidden(mountPoint: nil)
    case .noMountPoint: .noMountPoint(nil)
    case .tableInPlaceOfData: .tableInPlaceOfData(mountPoint: "the nearest")
    default: self
    }
  }
}

extension CorrectionFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .network(let error): error.reason
    case .port(let error): "\(error)"
    case .credentials(let reason): reason
    case .stopped: "stopped"
    case .closed: "the other side closed the connection"
    case .closedBeforeAnswer:
      "the connection was closed without an answer; check the port, and whether it expects TLS (ntrips://)"
    case .noAnswer(let seconds):
      "connected, but no answer to the request within \(Int(bounded: seconds)) s; check that a caster listens at this "
        + "port, and whether it expects TLS (ntrips://)"
    case .longHeader:
      "the header of the answer is too long; check that a caster listens at this port"
    case .notNTRIP(let text): "not an NTRIP caster: it answers '\(text)'; check host and port"
    case .sendsUnasked:
      "the server sends RTCM 3 without a request, so it is no caster; write tcp://HOST:PORT in place of ntrip://"
    case .webPage: "the answer is a web page, not a stream; check host and port: 2101 is usual"
    case .tableInPlaceOfData(let mountPoint):
      "the caster has no mount point '\(mountPoint)' and sent its list in place of data; 'lodestar corrections --list' "
        + "shows them"
    case .unauthorized(hasCredentials: true):
      "wrong user or password, or no right to this mount point; correct the file of 'credentials'"
    case .unauthorized(hasCredentials: false):
      "the caster requires user and password; write USER:PASSWORD into a file and name it in 'credentials'"
    case .forbidden(let mountPoint):
      "access\(mountPoint.map { " to the mount point '\($0)'" } ?? "") is forbidden (403); ask the operator of the caster"
    case .noMountPoint(let mountPoint):
      "the caster has no mount point\(mountPoint.map { " '\($0)'" } ?? " list") (404), or its base is off; "
        + "'lodestar corrections --list' shows them"
    case .moved(let place):
      "the caster has moved to \(place); write that host and port in 'source', with ntrip:// or ntrips://"
    case .unknownRequest(let status):
      "the caster does not know the request (\(status)); try 'version: 1' or 'version: 2', and check the port"
    case .busy(let status, let reason): "the caster cannot serve now (\(status) \(reason))"
    case .refused(let text): "the caster refuses: '\(text)'"
    case .brokenChunks:
      "the chunks of the answer are damaged; check for a proxy, or try 'version: 1'"
    case .longTable: "the caster's list is too long"
    case .emptyTable: "the caster lists no mount point"
    case .noneNear:
      "no mount point of the caster has RTCM 3 and a known place; name one in 'mount-point'"
    case .stalled(let seconds, let sendsPosition):
      "no data for \(Int(bounded: seconds)) s"
        + (sendsPosition == false
          ? "; if the mount point computes a virtual station, set 'send-position: 10'"
          : "; check that the base is on")
    case .noMessages(let seconds):
      "data, but no RTCM 3 message for \(Int(bounded: seconds)) s; check that the source has RTCM 3"
    }
  }

  /// True where only a person can remove the cause: casters lock out who asks again at once.
  package var needsPerson: Bool {
    switch self {
    case .credentials, .unauthorized, .forbidden, .noMountPoint, .tableInPlaceOfData, .webPage,
      .moved, .refused, .notNTRIP, .sendsUnasked, .unknownRequest, .noneNear, .emptyTable,
      .longTable:
      true
    case .network, .port, .stopped, .closed, .closedBeforeAnswer, .noAnswer, .longHeader, .busy,
      .brokenChunks, .stalled, .noMessages:
      false
    }
  }
}
