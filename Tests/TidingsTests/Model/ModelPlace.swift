// SPDX-License-Identifier: Apache-2.0

/// A place where messages are posted and observed: a type, a name or everything, in a center.
struct ModelPlace: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A type of ``ModelMessages``.
        case type(Int)
        /// The name that ``ModelMessages/Called`` and ``ModelMessages/Even`` share.
        case name
        /// The type of posts by name, which is only observed.
        case untyped
        /// The messages that conform to ``SharedMessage``, which are only observed.
        case conforming
        /// Every message of the center, which is only observed.
        case everything
    }

    var center = 0
    var kind = Kind.type(0)

    var isTyped: Bool {
        if case .type = kind { true } else { false }
    }

    /// Whether posts at this place have the name.
    private var hasName: Bool {
        switch kind {
        case .type(let index): ModelMessages.named.contains(index)
        case .name: true
        case .untyped, .conforming, .everything: false
        }
    }

    /// Whether posts at this place conform to ``SharedMessage``.
    private var conforms: Bool {
        switch kind {
        case .type(let index): ModelMessages.types[index] is any SharedMessage.Type
        case .name: true
        case .untyped, .conforming, .everything: false
        }
    }

    /// Whether the place selects messages of several types.
    var isBroad: Bool { kind == .everything || kind == .conforming }

    /// Whether an observer at this place receives the message `number` that is posted at `place`.
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

    /// Whether an observer at this place is counted at `place`.
    func isCounted(at place: ModelPlace) -> Bool {
        guard center == place.center else { return false }
        switch kind {
        case .everything: return true
        // Only a message can show whether it conforms.
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
