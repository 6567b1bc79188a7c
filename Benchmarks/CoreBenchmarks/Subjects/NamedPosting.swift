// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Tidings

/// A message type with a name.
struct NamedTick: NamedMessage {
    static let name = "TickOfTheClock"
    let number: Int

    var object: (any Sendable)? { number }

    init(number: Int) { self.number = number }

    init?(object: (any Sendable)?) {
        guard let number = object as? Int else { return nil }
        self.number = number
    }
}

/// A center with one observer, of one of three kinds.
final class NamedPosting {
    private let center = MessageCenter()
    private var tokens: [ObservationToken] = []

    /// Adds an observer of the name.
    func observedByName() -> Self {
        tokens.append(
            center.messages(named: NamedTick.name).observe { message in
                work(message.object as? Int ?? 0)
            }
        )
        return self
    }

    /// Adds an observer of the type.
    func observedByType() -> Self {
        tokens.append(center.observe(NamedTick.self) { work($0.number) })
        return self
    }

    /// Adds an observer of all messages.
    func observedByAll() -> Self {
        tokens.append(center.allMessages.observe { _ in work(0) })
        return self
    }

    func postsByName(_ name: String) -> Subject {
        Subject(name) { [self] in
            for number in 0..<$0 { center.post(named: NamedTick.name, object: number) }
        }
    }

    func postsByType(_ name: String) -> Subject {
        Subject(name) { [self] in
            for number in 0..<$0 { center.post(NamedTick(number: number)) }
        }
    }
}
