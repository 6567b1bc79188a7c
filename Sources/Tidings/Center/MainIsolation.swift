// SPDX-License-Identifier: Apache-2.0

/// The main actor, as a place where handlers run.
///
/// It is the value of the `on:` parameter, always written `.main`. A main-actor handler runs
/// inline when the call is made on the main actor, and is queued there otherwise.
///
/// ```swift
/// let token = center.observe(LoggedIn.self, on: .main) { message in
///     titleLabel.text = message.name
/// }
/// ```
public struct MainIsolation: Sendable {
    private init() {}

    /// On the main actor.
    public static let main = MainIsolation()
}
