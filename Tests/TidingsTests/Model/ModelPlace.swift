// SPDX-License-Identifier: Apache-2.0

/// Where messages are posted and observed: a type, a name or everything, in a center.
struct ModelPlace: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A type of ``ModelMessages``.
        case type(Int)
        /// The name that ``ModelMessages/Called`` and ``ModelMessages/Even`` share.
        case name
        /// The type of what is posted by name; only observed.
        case untyped
        /// The messages that conform to ``SharedMessage``; only observed.
        case conforming
        /// Every message of the center; only observed.
        case everything
    }

    var center = 0
    var kind = Kind.type(0)

    var isTyped: Bool {
        if case .type = kind { true } else { false }
    }

    /// Whether what is posted here goes by the name.
    private var hasName: Bool {
        switch kind {
        case .type(let index): ModelMessages.named.contains(index)
        case .name: true
        case .untyped, .conforming, .everything: false
        }
    }

    /// Whether what is posted here conforms to ``SharedMessage``.
    private var conforms: Bool {
        switch kind {
        case .type(let index): ModelMessages.types[index] is any SharedMessage.Type
        case .name: true
        case .untyped, .conforming, .everything: false
        }
    }

    /// Whether it selects messages of several types.
    var isBroad: Bool { kind == .everything || kind == .conforming }

    /// Whether somebody who observes here receives the message `number` that is posted at `place`.
    func hears(_ number: Int, at place: ModelPlace) -> Bool {
        guard center == place.center else { return false }
        switch kind {
        case .everything: return true
        case .conforming: return place.conforms
        case .untyped: return place.kind == .name
        case .name: return place.hasName
        case .type(let index):
            let isConverted = hasName && place.hasName
            return kind == place.kind || (isConverted && ModelMessages.accepts(number, as: index))
        }
    }

    /// Whether somebody who observes here is counted at `place`.
    func isCounted(at place: ModelPlace) -> Bool {
        guard center == place.center else { return false }
        switch kind {
        case .everything: return true
        // Whether a message conforms is known only once there is one.
        case .conforming: return false
        case .untyped: return place.kind == .name
        case .name: return place.hasName
        // Other types of the same name are counted under the name only.
        case .type: return kind == place.kind || (hasName && place.kind == .name)
        }
    }
}

extension ModelPlace: CustomStringConvertible {
    var description: String {
        switch kind {
        case .type(let index): "\(center)/\(index)"
        case .name: "\(center)/name"
        case .untyped: "\(center)/untyped"
        case .conforming: "\(center)/conforming"
        case .everything: "\(center)/everything"
        }
    }
}
