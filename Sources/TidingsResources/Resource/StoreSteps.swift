// SPDX-License-Identifier: Apache-2.0

/// The pending steps of a store, in order, as a value.
struct StoreSteps<Value: Sendable>: Sendable {
    enum Step: Sendable {
        /// Reads the copy and calls the closure with the copy.
        case read(@Sendable (Value?) -> Void)
        case write(Value)
        case remove
        /// Calls the closure after all earlier steps are done.
        case tell(@Sendable () -> Void)
    }

    private var steps: [Step] = []
    private var isRunning = false

    /// Adds a step, and returns whether the caller must start to run the steps.
    ///
    /// A newer value or a removal replaces a pending value.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - replaced: The steps that are no longer needed, for the caller to release.
    /// - Returns: Whether no caller runs the steps yet.
    mutating func append(_ step: Step, replaced: inout [Step]) -> Bool {
        if case .write? = steps.last, step.replacesWrite { replaced.append(steps.removeLast()) }
        steps.append(step)
        defer { isRunning = true }
        return !isRunning
    }

    /// Removes and returns the next step, or returns nil and ends the run.
    mutating func next() -> Step? {
        isRunning = !steps.isEmpty
        return isRunning ? steps.removeFirst() : nil
    }
}

extension StoreSteps.Step {
    fileprivate var replacesWrite: Bool {
        switch self {
        case .write, .remove: true
        case .read, .tell: false
        }
    }
}
