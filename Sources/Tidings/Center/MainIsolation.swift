// SPDX-License-Identifier: Apache-2.0

/// The main actor, as a place where handlers run.
///
/// Pass `.main` as the argument of an `on:` parameter. A main-actor handler runs inline when the
/// call is made on the main actor, and is queued for the main actor otherwise.
///
/// ```swift
/// let token = center.observe(LoggedIn.self, on: .main) { message in
///     titleLabel.text = message.name
/// }
/// ```
public struct MainIsolation: Sendable {
    private init() {}

    /// The main actor.
    public static let main = MainIsolation()
}
