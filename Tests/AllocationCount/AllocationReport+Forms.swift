// SPDX-License-Identifier: Apache-2.0
import Tidings

extension AllocationReport {
    /// Counts the forms of observing and posting whose handlers run before `post` returns.
    @MainActor mutating func forms() {
        let center = MessageCenter()
        let token = center.messages(of: Tick.self).priority(.high).observe { work($0.number) }
        count("post, nested") { center.post(Tick(number: 1), options: [.nested]) }
        count("post, required") {
            _ = try? center.post(Tick(number: 1), requiring: .recipient)
        }
        withExtendedLifetime(token) {}
        filters()
        accompaniedPosts()
        mainActorPosts()
    }

    private mutating func filters() {
        let center = MessageCenter()
        let subject = Owner()
        let isPositive: @Sendable (Tick) -> Bool = { $0.number > 0 }
        let filtered = center.messages(of: Tick.self).where(isPositive).observe { work($0.number) }
        count("post past a filter") { center.post(Tick(number: 0)) }
        count("post through a filter") { center.post(Tick(number: 1)) }
        let tokens = [
            center.messages(of: Tick.self).about(subject).observe { work($0.number) },
            center.messages(of: Tick.self).about(any: Owner.self).observe { work($0.number) },
        ]
        count("post about a subject") {
            center.post(Tick(number: 1), about: subject)
        }
        withExtendedLifetime((filtered, tokens)) {}
    }

    /// Counts posts of a center with more than handlers of the message's type.
    private mutating func accompaniedPosts() {
        let subject = Owner()
        let cases: [(String, (MessageCenter) -> ObservationToken)] = [
            ("beside one of all messages", { $0.allMessages.observe { _ in work(0) } }),
            ("with an unhandled hook", { $0.addUnhandledHook { _ in work(0) } }),
            (
                "beside one of a subject",
                { $0.messages(of: Tick.self).about(subject).observe { work($0.number) } }
            ),
        ]
        for (name, accompany) in cases {
            let center = MessageCenter()
            let tokens = [center.observe(Tick.self) { work($0.number) }, accompany(center)]
            count("post \(name)") { center.post(Tick(number: 1)) }
            count("post about an object, \(name)") { center.post(Tick(number: 1), about: subject) }
            withExtendedLifetime(tokens) {}
        }
        let center = MessageCenter()
        let token = center.messages(named: "Tick").observe { _ in work(0) }
        count("post by name") { center.post(named: "Tick", object: 1) }
        withExtendedLifetime((subject, token)) {}
    }

    @MainActor private mutating func mainActorPosts() {
        let center = MessageCenter()
        let token = center.observe(Tick.self, on: .main) { work($0.number) }
        count("post to 1 on the main actor, from there") {
            center.post(Tick(number: 1))
        }
        withExtendedLifetime(token) {}
    }
}
