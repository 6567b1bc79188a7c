// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Why the kernel's tables cannot be read.
enum NetlinkError: Error, Hashable, CustomStringConvertible {
    /// A message says something of its own length that cannot be.
    case malformed
    /// A message was longer than the room for it.
    case truncated
    /// The tables changed as often as they were read.
    case changing
    /// The kernel refused a question, with the system's error number.
    case refused(Int32)
    /// Nothing came in answer to a question.
    case unanswered
    /// A call failed, with the system's error number.
    case system(call: String, Int32)

    var description: String {
        switch self {
        case .malformed: "The kernel's answer makes no sense."
        case .truncated: "The kernel's answer came cut."
        case .changing: "The kernel's tables change faster than they can be read."
        case .refused(let number): "The kernel refused to tell: \(Self.text(number))."
        case .unanswered: "The kernel did not answer."
        case .system(let call, let number): "\(call): \(Self.text(number))."
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
