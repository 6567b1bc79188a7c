// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A failure to read the kernel's network tables.
enum NetlinkError: Error, Hashable, CustomStringConvertible {
    /// A length in a message does not fit the message.
    case malformed
    /// A datagram was longer than the buffer.
    case truncated
    /// The tables changed during every attempt to read them.
    case inconsistent
    /// The kernel rejected a request, with the system's error number.
    case refused(Int32)
    /// The kernel did not reply within the timeout.
    case timedOut
    /// A system call failed, with the system's error number.
    case system(call: String, Int32)

    var description: String {
        switch self {
        case .malformed: "The kernel sent a malformed reply."
        case .truncated: "The kernel sent a truncated reply."
        case .inconsistent: "The kernel's tables changed during every attempt to read them."
        case .refused(let number): "The kernel refused the request: \(Self.text(number))."
        case .timedOut: "The kernel did not reply."
        case .system(let call, let number): "\(call): \(Self.text(number))."
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
