// SPDX-License-Identifier: Apache-2.0

/// One observation of a program.
struct ModelObservation: Sendable {
    enum Form: Hashable, Sendable {
        case closure
        case main
        case owned(Int)
        case ownedMain(Int)
        /// An interceptor that stops or drops the messages that `choice` picks.
        case interceptor(Interception)
        case sequence
    }

    /// The result of an interceptor for a picked message.
    enum Interception: Hashable, Sendable {
        case stop
        case drop
    }

    /// The required subject of a message.
    enum Subject: Hashable, Sendable {
        case object(Int)
        case any
    }

    /// The keeper of the token.
    enum Keeping: Hashable, Sendable {
        case program
        case bag(Int)
        case owner
        case nobody
    }

    /// The buffer of a sequence.
    enum Buffer: Hashable, Sendable {
        case newest(Int)
        case oldest(Int)
        case unbounded
    }

    var id: Int
    var place = ModelPlace()
    var form = Form.closure
    var priority = 0
    var isOnce = false
    /// Whether the observation is made as a member of a family.
    var isInFamily = false
    var about: Subject?
    /// The messages that pass, or nil if all messages pass.
    var filter: ModelChoice?
    /// The messages that an interceptor stops or drops.
    var choice = ModelChoice(modulus: 2)
    /// The messages at which a handler throws an error.
    var failure: ModelChoice?
    /// The number of requested retained messages.
    var replay = 0
    var buffer = Buffer.unbounded
    var keeping = Keeping.program
    /// The operations of the handler in the first calls, one script for each call.
    var scripts: [[ModelOperation]] = []
    /// The operations at the release of the handler.
    var last: [ModelOperation] = []
}

extension ModelObservation {
    var owner: Int? {
        switch form {
        case .owned(let owner), .ownedMain(let owner): owner
        case .closure, .main, .interceptor, .sequence: nil
        }
    }

    /// The object that messages must be about, which bounds the life of the observation.
    var subject: Int? {
        if case .object(let subject) = about { subject } else { nil }
    }

    /// The objects whose death ends the observation.
    var expiring: [Int] { [owner, subject].compactMap(\.self) }

    var isMain: Bool {
        switch form {
        case .main, .ownedMain: true
        case .closure, .owned, .interceptor, .sequence: false
        }
    }

    var isInterceptor: Bool {
        if case .interceptor = form { true } else { false }
    }

    /// The number of recipients of a message that the interceptor picks.
    var recipientsOfPicked: Int { form == .interceptor(.stop) ? 1 : 0 }

    /// Whether a post addresses the observation because of the place and subject.
    ///
    /// An interceptor is asked, and not addressed.
    func isFor(_ post: ModelPost) -> Bool {
        guard place.hears(post.number, at: post.place) else { return false }
        if isInterceptor { return place.isBroad || place.kind == post.place.kind }
        return isAbout(post)
    }

    /// Whether a message has the required subject.
    func isAbout(_ post: ModelPost) -> Bool {
        switch about {
        case .object(let subject): post.about == subject
        case .any: post.about != nil
        case nil: true
        }
    }

    /// Whether the observation is counted at a place.
    ///
    /// At a place with a type, the count is for a message without a subject.
    func isCounted(at place: ModelPlace) -> Bool {
        self.place.isCounted(at: place) && (about == nil || place.messageType == nil)
    }

    func fails(_ number: Int) -> Bool { failure?.picks(number) ?? false }

    /// Whether an interceptor stops or drops a message after being called.
    func stops(_ number: Int) -> Bool { isInterceptor && choice.picks(number) }

    /// Whether the handler is called with a message that addresses the observation.
    func takes(_ number: Int) -> Bool { filter?.picks(number) ?? true }
}

extension ModelObservation: CustomStringConvertible {
    var description: String {
        var text = "\(id) at \(place), \(form), priority \(priority), kept by \(keeping)"
        if isOnce { text += ", once" }
        if isInFamily { text += ", in a family" }
        if let about { text += ", about \(about)" }
        if let filter { text += ", takes \(filter)" }
        if isInterceptor { text += ", picks \(choice)" }
        if let failure { text += ", throws at \(failure)" }
        if replay > 0 { text += ", replays \(replay)" }
        if buffer != .unbounded { text += ", keeps \(buffer)" }
        return text
    }
}
