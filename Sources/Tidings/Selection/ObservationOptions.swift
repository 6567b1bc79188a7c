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

    /// Returns the settings of a registration.
    ///
    /// - Parameters:
    ///   - home: Where it is registered.
    ///   - place: `.main` for a handler of the main actor.
    ///   - source: Where it is made in the user's code.
    ///   - read: Makes an element of what the registration receives, if that is something else.
    /// - Returns: The settings.
    func settings(
        in home: RegistrationHome,
        on place: RegistrationFlags,
        at source: SourceLocation,
        reading read: (@Sendable (Incoming) -> Element?)? = nil
    ) -> RegistrationSettings {
        var settings = RegistrationSettings(home: home, flags: place, source: source)
        if let priority { settings.priority = priority }
        if isOnce { settings.flags.insert(.once) }
        if let subject {
            settings.flags.insert(.subject)
            settings.subject = subject
        }
        if place.contains(.main) { settings.mainBuffer = MainActorBuffer(buffering ?? .unbounded) }
        settings.filter = makeFilter().map { filter in
            { @Sendable input in
                if let read { return read(input).map(filter) ?? false }
                return input.read { (element: borrowing Element) in filter(copy element) }
            }
        }
        return settings
    }

    /// The filter of one observation: an element that `filter` refuses is no duplicate of the next.
    func makeFilter() -> Filter? {
        guard let isNew = duplicates?() else { return filter }
        guard let filter else { return isNew }
        return { filter($0) && isNew($0) }
    }
}
