// SPDX-License-Identifier: Apache-2.0

/// One observation of a program.
struct ModelObservation: Sendable {
    enum Form: Hashable, Sendable {
        case closure
        case main
        case owned(Int)
        case ownedMain(Int)
        /// An interceptor that stops or drops what `choice` picks.
        case interceptor(Interception)
        case sequence
    }

    /// What an interceptor does with what it picks.
    enum Interception: Hashable, Sendable {
        case stop
        case drop
    }

    /// What messages must be about.
    enum Subject: Hashable, Sendable {
        case object(Int)
        case any
    }

    /// Who keeps the token.
    enum Keeping: Hashable, Sendable {
        case program
        case bag(Int)
        case owner
        case nobody
    }

    /// What a sequence keeps.
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
    /// Whether it is made as a member of a family.
    var isInFamily = false
    var about: Subject?
    /// The messages that pass; all of them if there is none.
    var filter: ModelChoice?
    /// What an interceptor stops or drops.
    var choice = ModelChoice(modulus: 2)
    /// What a handler throws an error at.
    var failure: ModelChoice?
    /// How many retained messages it asks for.
    var replay = 0
    var buffer = Buffer.unbounded
    var keeping = Keeping.program
    /// What the handler does in its first calls, one script for each.
    var scripts: [[ModelOperation]] = []
    /// What is done when the handler is released.
    var last: [ModelOperation] = []
}

extension ModelObservation {
    var owner: Int? {
        switch form {
        case .owned(let owner), .ownedMain(let owner): owner
        case .closure, .main, .interceptor, .sequence: nil
        }
    }

    /// The object that it is about, which bounds its life.
    var subject: Int? {
        if case .object(let subject) = about { subject } else { nil }
    }

    /// The objects whose death ends it.
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

    /// How many recipients a message has that it picks.
    var recipientsOfPicked: Int { form == .interceptor(.stop) ? 1 : 0 }

    /// Whether a post addresses it: registered in its place and about what it wants.
    ///
    /// An interceptor is asked, and not addressed.
    func isFor(_ post: ModelPost) -> Bool {
        guard place.hears(post.number, at: post.place) else { return false }
        if isInterceptor { return place.isBroad || place.kind == post.place.kind }
        return isAbout(post)
    }

    /// Whether a message is about what it wants.
    func isAbout(_ post: ModelPost) -> Bool {
        switch about {
        case .object(let subject): post.about == subject
        case .any: post.about != nil
        case nil: true
        }
    }

    /// Whether it is counted at a place, of a type for a message about nothing.
    func isCounted(at place: ModelPlace) -> Bool {
        self.place.isCounted(at: place) && (about == nil || place.messageType == nil)
    }

    func fails(_ number: Int) -> Bool { failure?.picks(number) ?? false }

    /// Whether it stops or drops a message, once it was called.
    func stops(_ number: Int) -> Bool { isInterceptor && choice.picks(number) }

    /// Whether its handler is called with a message that it is addressed by.
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
