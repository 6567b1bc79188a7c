// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Tidings

/// A center with one observer and an additional part.
final class AccompaniedPosting {
    private let center = MessageCenter()
    private let subject = Owner()
    private var tokens: [ObservationToken] = []
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    /// Adds a plain observer.
    func observed() -> Self {
        adding(center.observe(Tick.self) { work($0.number) })
    }

    /// Adds an observer by way of a selection with an option.
    func observedBySelection() -> Self {
        adding(center.messages(of: Tick.self).priority(.high).observe { work($0.number) })
    }

    /// Adds an observer of all messages.
    func observedByAll() -> Self {
        adding(center.allMessages.observe { _ in work(0) })
    }

    /// Adds an observer of the messages about one object.
    func observedBySubject() -> Self {
        adding(center.messages(of: Tick.self).about(subject).observe { work($0.number) })
    }

    /// Adds an unhandled hook.
    func hooked() -> Self {
        adding(center.addUnhandledHook { _ in work(0) })
    }

    /// Posts about nothing.
    var posting: Subject {
        Subject(name) { [self] in
            for number in 0..<$0 { center.post(Tick(number: number)) }
        }
    }

    /// Posts about the object.
    var postingAbout: Subject {
        Subject(name) { [self] in
            for number in 0..<$0 { center.post(Tick(number: number), about: subject) }
        }
    }

    private func adding(_ token: ObservationToken) -> Self {
        tokens.append(token)
        return self
    }
}
