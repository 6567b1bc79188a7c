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

    @MainActor private mutating func mainActorPosts() {
        let center = MessageCenter()
        let token = center.observe(Tick.self, on: .main) { work($0.number) }
        count("post to 1 on the main actor, from there") {
            center.post(Tick(number: 1))
        }
        withExtendedLifetime(token) {}
    }
}
