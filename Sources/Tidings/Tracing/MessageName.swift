// SPDX-License-Identifier: Apache-2.0

/// The name of a message, kept without building its text.
enum MessageName: Sendable {
    /// The name of a type, without its module.
    case type(any Sendable.Type)
    case text(String)

    var text: String {
        switch self {
        case .type(let type): String(describing: type)
        case .text(let text): text
        }
    }
}
