// SPDX-License-Identifier: Apache-2.0

/// A source of elements to observe, such as a selection of messages or a publisher of states.
///
/// All forms of `observe` are declared here once and work for messages and states alike. A type of
/// a program that offers one selection can also conform.
///
/// ```swift
/// center.messages(of: Played.self).observe(owner: self) { owner, message in … }
/// products.observe(owner: self, on: .main) { screen, state in screen.show(state) }
/// ```
public protocol ObservationSource<Element>: Sendable {
    /// A message, or the state of a publisher.
    associatedtype Element: Sendable

    /// The elements that an observation receives.
    var selection: Selection<Element> { get }
}

extension Selection: ObservationSource {
    /// This selection.
    public var selection: Selection<Element> { self }
}
