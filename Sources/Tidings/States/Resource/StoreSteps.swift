// SPDX-License-Identifier: Apache-2.0

/// What is to be done with a store, in order, as a value.
struct StoreSteps<Value: Sendable>: Sendable {
    enum Step: Sendable {
        /// Reads, and tells somebody.
        case read(@Sendable (Value?) -> Void)
        case write(Value)
        case remove
        /// Tells somebody that everything before it is done.
        case tell(@Sendable () -> Void)
    }

    private var steps: [Step] = []
    private var isRunning = false

    /// Adds a step; says whether the caller is to begin taking steps.
    ///
    /// A value that waits to be written is replaced by a newer one, and by removing.
    ///
    /// - Parameters:
    ///   - step: What is to be done.
    ///   - replaced: The steps that are not needed any more, for the caller to release.
    /// - Returns: Whether nobody takes steps yet.
    mutating func append(_ step: Step, replaced: inout [Step]) -> Bool {
        if case .write? = steps.last, step.replacesWrite { replaced.append(steps.removeLast()) }
        steps.append(step)
        defer { isRunning = true }
        return !isRunning
    }

    /// Takes the next step; nil ends the run.
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
