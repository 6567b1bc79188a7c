// SPDX-License-Identifier: Apache-2.0

/// The options of a selection; nil for one that is not stated.
struct ObservationOptions<Element: Sendable>: Sendable {
    typealias Filter = @Sendable (Element) -> Bool

    var priority: ObservationPriority?
    var isOnce = false
    var subject: SubjectFilter?
    var filter: Filter?
    /// Makes the filter of one observation that refuses an element equal to the one before.
    var duplicates: (@Sendable () -> Filter)?
    var replay: Replay?
    var buffering: Buffering?
    var concurrency: Int?
    /// The pace, and what makes the timeline of one observation.
    var pace: (Pace, @Sendable () -> Timeline)?

    /// Whether a synchronous handler needs a queue, too.
    var isQueued: Bool { buffering != nil || concurrency != nil }

    /// Returns what a registration is made with.
    ///
    /// - Parameters:
    ///   - home: Where it is registered.
    ///   - place: `.main` for a handler of the main actor.
    ///   - source: Where it is made in the user's code.
    ///   - read: Makes an element of what the registration receives, if that is something else.
    /// - Returns: The terms.
    func settings(
        in home: RegistrationHome,
        on place: RegistrationFlags,
        at source: SourceLocation,
        reading read: (@Sendable (Incoming) -> Element?)? = nil
    ) -> RegistrationSettings {
        var flags = place
        if isOnce { flags.insert(.once) }
        if subject != nil { flags.insert(.subject) }
        return RegistrationSettings(
            home: home,
            priority: priority ?? .normal,
            flags: flags,
            source: source,
            extras: extras(isOnMain: place.contains(.main), read)
        )
    }

    private func extras(
        isOnMain: Bool,
        _ read: (@Sendable (Incoming) -> Element?)?
    ) -> RegistrationExtras? {
        if filter == nil, duplicates == nil, subject == nil, !isOnMain { return nil }
        let filter = makeFilter().map { filter in
            { @Sendable (input: Incoming) -> Bool in
                if let read { return read(input).map(filter) ?? false }
                return input.read { (element: borrowing Element) in filter(copy element) }
            }
        }
        return RegistrationExtras(
            filter: filter,
            subject: subject,
            mainBuffer: isOnMain ? MainActorBuffer(buffering ?? .unbounded) : nil
        )
    }

    /// The filter of one observation: an element that `filter` refuses is no duplicate of the next.
    func makeFilter() -> Filter? {
        guard let isNew = duplicates?() else { return filter }
        guard let filter else { return isNew }
        return { filter($0) && isNew($0) }
    }
}
