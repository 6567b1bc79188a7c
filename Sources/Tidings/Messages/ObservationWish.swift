// SPDX-License-Identifier: Apache-2.0

/// What an observation asks for besides its handler.
struct ObservationWish<Input: Sendable> {
    let priority: ObservationPriority
    let traits: RegistrationTraits
    let extras: RegistrationExtras?
    let replay: Replay
    let source: SourceLocation

    init(
        _ priority: ObservationPriority,
        once: Bool,
        about subject: MessageSubject?,
        where filter: (@Sendable (Input) -> Bool)?,
        replay: Replay = .none,
        onMain buffering: Buffering? = nil,
        _ source: SourceLocation
    ) {
        self.priority = priority
        self.replay = replay
        self.source = source
        var traits: RegistrationTraits = once ? .once : []
        if subject != nil { traits.insert(.subject) }
        self.traits = traits
        if filter == nil, subject == nil, buffering == nil {
            extras = nil
            return
        }
        let admission = filter.map { filter in
            { @Sendable (input: Incoming) -> Bool in
                input.read { (message: borrowing Input) in filter(copy message) }
            }
        }
        extras = RegistrationExtras(
            admission: admission,
            subject: subject?.filter,
            lane: buffering.map { MainLane($0) }
        )
    }
}
