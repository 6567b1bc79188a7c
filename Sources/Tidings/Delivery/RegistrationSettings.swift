// SPDX-License-Identifier: Apache-2.0

/// The settings of one registration, apart from its handler.
struct RegistrationSettings: Sendable {
    var home: RegistrationHome
    var priority = ObservationPriority.normal
    var flags: RegistrationFlags = []
    var source: SourceLocation
    /// A condition on each value, checked before the call: on the main actor if the handler runs
    /// there, otherwise on the sender's thread.
    var filter: (@Sendable (Incoming) -> Bool)?
    var subject: SubjectFilter?
    /// Called once, by the thread that ends the observation.
    var didEnd: (@Sendable () -> Void)?
    /// The calls that wait for the main actor, if the handler runs there.
    var mainBuffer: MainActorBuffer?
    /// The live messages that wait behind a replay.
    var gate: ReplayGate<GatedCall>?

    /// The context of the registration: that of its home, unless it has one of the rare settings.
    var context: RegistrationContext {
        let isPlain =
            filter == nil && subject == nil && didEnd == nil && mainBuffer == nil && gate == nil
        return isPlain ? home.context : RegistrationContext(self)
    }

    /// Adds a closure to call when the observation ends, after the closures added before.
    mutating func addDidEnd(_ action: @escaping @Sendable () -> Void) {
        guard let first = didEnd else {
            didEnd = action
            return
        }
        didEnd = {
            first()
            action()
        }
    }
}

extension RegistrationSettings {
    /// Creates the settings of an observation without options other than its place and its buffer.
    init(
        in home: RegistrationHome,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ buffering: Buffering? = nil
    ) {
        self.init(home: home, flags: place, source: source)
        if place.contains(.main) { mainBuffer = MainActorBuffer(buffering ?? .unbounded) }
    }
}
