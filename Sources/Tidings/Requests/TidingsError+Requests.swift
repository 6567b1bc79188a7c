// SPDX-License-Identifier: Apache-2.0

extension TidingsError {
    static func noMessage(
        _ name: String,
        within duration: Duration,
        at source: SourceLocation
    ) -> TidingsError {
        let text = """
            No \(name) came within \(duration) that the filter and the subject let through, if \
            there are any. Wait longer, or take one that was posted before: retain it and add \
            `.replaying(.last(1))` to the selection.
            """
        return TidingsError(.timedOut, text, at: source)
    }

    static func notDrained(
        _ rest: [ObservationFigures],
        within duration: Duration,
        at source: SourceLocation
    ) -> TidingsError {
        let names = rest.map(\.description).joined(separator: "; ")
        let text = """
            The center has finished, but after \(duration) it still has messages to deliver: \
            \(names.isEmpty ? "a post is in progress" : names). Wait longer, or end those \
            observations and sequences.
            """
        return TidingsError(.timedOut, text, at: source)
    }

    static func noAnswer(
        _ name: String,
        within duration: Duration,
        at source: SourceLocation
    ) -> TidingsError {
        let text = """
            \(name) was not answered within \(duration). Wait longer, or ask again; the responder \
            was cancelled.
            """
        return TidingsError(.timedOut, text, at: source)
    }

    static func noResponder(_ name: String, at source: SourceLocation) -> TidingsError {
        let text = """
            \(name) has no responder. Call `respond(to: \(name).self)` before the request, and keep \
            the token.
            """
        return TidingsError(.noObservers, text, at: source)
    }

    static func intercepted(_ name: String, at source: SourceLocation) -> TidingsError {
        let text = """
            An interceptor of the center dropped \(name) before a responder received it. End the \
            interceptor, or let it pass requests.
            """
        return TidingsError(.noObservers, text, at: source)
    }

    static func responderEnded(_ name: String, at source: SourceLocation) -> TidingsError {
        let text = """
            The responder to \(name) that was made here ended before it had answered. Request \
            again, or keep its token until it is idle.
            """
        return TidingsError(.finished, text, at: source)
    }

    static func finished(_ wanted: String, at source: SourceLocation) -> TidingsError {
        let text = """
            \(wanted) cannot come any more: the center has finished, or what it was to be about has \
            died. Wait before `finish()`, and keep the subject.
            """
        return TidingsError(.finished, text, at: source)
    }
}
