// SPDX-License-Identifier: Apache-2.0

/// The messages or states of one source, with options for observing them.
///
/// A center makes selections of messages, and a publisher makes a selection of states. Options
/// narrow a selection or set the form of delivery. They may be in any order, each option at most
/// once. The selection delivers elements when a handler or a sequence is attached.
///
/// ```swift
/// center.messages(of: Played.self)
///     .about(album)
///     .where { $0.title != "Intro" }
///     .observe(owner: self, on: .main) { screen, message in screen.show(message.title) }
/// ```
///
/// A selection is a value, so you can keep it, change it further and attach to it several times.
/// The selection keeps the source alive, but attached handlers and sequences do not.
public struct Selection<Element: Sendable>: Sendable {
    let origin: any SelectionOrigin
    let kind: SelectionKind
    /// The location in the user's code that makes the selection.
    let source: SourceLocation
    var options = ObservationOptions<Element>()

    init(_ kind: SelectionKind, of origin: any SelectionOrigin, at source: SourceLocation) {
        self.kind = kind
        self.origin = origin
        self.source = source
    }
}

/// The part of a source that a selection selects.
enum SelectionKind: Sendable {
    /// The messages of a type.
    case type(any Message.Type)
    /// The messages of a name.
    case name(String)
    /// All messages.
    case all
    /// The messages for which a conformance returns a value.
    case conforming(any MessageConformance)
    /// The states of a publisher.
    case states
}

/// A source of selections: a center or a publisher.
protocol SelectionOrigin: AnyObject, Sendable {
    /// The center whose error hooks receive the errors of asynchronous handlers.
    var errorCenter: MessageCenter { get }

    /// Registers an observation that has no pace.
    ///
    /// - Parameters:
    ///   - kind: The part of the source to observe.
    ///   - options: The options for the calls.
    ///   - place: `.main` for a handler of the main actor.
    ///   - source: The location in the user's code.
    ///   - make: Makes the registration, which receives elements of the selection.
    /// - Returns: The token that ends the observation.
    func add<Element: Sendable>(
        _ kind: SelectionKind,
        with options: ObservationOptions<Element>,
        on place: RegistrationFlags,
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken
}

extension Selection {
    /// Whether the selection selects states.
    var isOfStates: Bool { if case .states = kind { true } else { false } }

    /// Registers an observation whose handler is called on the poster's thread or on the main
    /// actor.
    func attach(
        on place: RegistrationFlags = [],
        at source: SourceLocation,
        _ make: (RegistrationSettings) -> Registration
    ) -> ObservationToken {
        origin.register(kind, with: options, on: place, at: source, make)
    }

    /// Registers an observation that queues messages in a mailbox.
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
        // If the mailbox replaces pending states, the publisher also needs no separate position for
        // each state.
        let place: RegistrationFlags = isOfStates && options.buffering == .newest(1) ? .latest : []
        return attach(on: place, at: source) { settings in
            guard let owner else { return MailboxRegistration(settings, mailbox) }
            return MailboxRegistration(settings, owner, mailbox)
        }
    }
}
