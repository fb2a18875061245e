package import HostProtocol

/// The lock that the host uses.
package typealias Locked<Value> = HostProtocol.Locked<Value>
