// SPDX-License-Identifier: Apache-2.0

/// A state machine that a test drives inside `#expect`, which takes no mutating call.
package final class Machine<State> {
    private var state: State

    package init(_ state: State) {
        self.state = state
    }

    /// Changes the state and returns the result of the change.
    @discardableResult
    package func callAsFunction<Result>(_ change: (inout State) -> Result) -> Result {
        change(&state)
    }
}
