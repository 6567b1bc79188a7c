// SPDX-License-Identifier: Apache-2.0

/// The messages or states of one source, and how each observation of them is called.
///
/// A center makes selections of messages, a publisher one of its states. Options narrow a selection
/// or say how it is delivered; they stand in any order, each at most once. A handler or a sequence
/// that is attached to the selection begins to receive.
///
/// ```swift
/// center.messages(of: Played.self)
///     .about(album)
///     .where { $0.title != "Intro" }
///     .observe(owner: self, on: .main) { screen, message in screen.show(message.title) }
/// ```
///
/// A selection is a value: one may be kept, changed further and attached to several times. It keeps
/// its source alive; what is attached to it does not.
public struct Selection<Element: Sendable>: Sendable {
    let origin: any SelectionOrigin
    let kind: SelectionKind
    /// Where it is made in the user's code.
    let source: SourceLocation
    var options = ObservationOptions<Element>()

    init(_ kind: SelectionKind, of origin: any SelectionOrigin, at source: SourceLocation) {
        self.kind = kind
        self.origin = origin
        self.source = source
    }
}

/// The part of its source that a selection selects.
enum SelectionKind: Sendable {
    /// The messages of a type.
    case type(any Message.Type)
    /// The messages of a name.
    case name(String)
    /// All messages.
    case all
    /// The messages that a conformance has a value for.
    case conforming(any MessageConformance)
    /// The states of a publisher; of a family's resource, perhaps after the data of another one.
    case states(after: (any Sendable)?)
}

/// A source of selections: a center or a publisher.
protocol SelectionOrigin: AnyObject, Sendable {
    /// The center whose error hooks receive the errors of asynchronous handlers.
    var errorCenter: MessageCenter { get }

    /// Registers an observation that has no pace.
    ///
    /// - Parameters:
    ///   - kind: The part of the source that it receives.
    ///   - options: How it is called.
    ///   - place: `.main` for a handler of the main actor.
    ///   - source: Where it is made in the user's code.
    ///   - make: Makes its registration, which receives elements of the selection.
    /// - Returns: The token that ends it.
    func add<Element: Sendable>(
        _ kind: SelectionKind,
        _ options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken
}

extension Selection {
    /// Whether it selects states.
    var isOfStates: Bool { if case .states = kind { true } else { false } }

    /// Registers an observation whose handler is called where the message is posted, or on the main
    /// actor.
    func attach(
        on place: RegistrationFlags = [],
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        origin.register(kind, options, on: place, at: source, make)
    }

    /// Registers an observation whose messages wait in a mailbox.
    func attach(
        owner: (any AnyObject & Sendable)? = nil,
        at source: SourceLocation,
        _ step: @escaping Mailbox<Element>.Step
    ) -> ObservationToken {
        let mailbox = Mailbox(
            of: origin.errorCenter,
            options.buffering ?? .unbounded,
            concurrency: options.concurrency ?? 1,
            step: step
        )
        // What is replaced in the mailbox needs no place on its way there, either.
        let place: RegistrationFlags = isOfStates && options.buffering == .newest(1) ? .latest : []
        return attach(on: place, at: source) { settings in
            guard let owner else { return MailboxRegistration(settings, mailbox) }
            return MailboxRegistration(settings, owner, mailbox)
        }
    }
}
