// SPDX-License-Identifier: Apache-2.0

/// A random program: what is done with message centers, by one thread or several.
///
/// A plain value. Observations, owners, bags and messages are numbers, given once in the whole
/// program, so that a handler's script runs at most once and every program ends.
struct ModelProgram: Sendable {
    /// How many of each there are at most.
    var centers = 1
    var observations = 0
    var bags = 0
    /// What each owner does in its deinit.
    var owners: [[ModelOperation]] = []
    /// What is done before the threads begin.
    var setup: [ModelOperation] = []
    /// What each thread does; a sequential program has one.
    var threads: [[ModelOperation]] = [[]]
    /// Whether a sequential program runs on the main actor.
    var isOnMain = false
    /// Whether the centers have a hook for messages that nobody heard.
    var hasUnhandledHook = false
    /// Whether the centers go before the tokens that are left.
    var tokensOutliveCenters = false
}

/// One step of a program.
///
/// To add one, give it a case here, a rule in ``ReferenceModel/perform(_:)``, its execution in
/// ``ModelRun/perform(_:)`` and a weight in ``ModelGenerator``.
enum ModelOperation: Sendable {
    case observe(ModelObservation)
    /// Calls `cancel()` of a token that is kept.
    case cancel(Int)
    /// Drops a token that is kept.
    case drop(Int)
    /// Keeps two tokens as one, under the first number.
    case join(Int, Int)
    case block(Int)
    case resume(Int)
    case post(ModelPost)
    case count(ModelPlace)
    /// Asks for the retained messages.
    case recall(ModelPlace)
    /// Forgets the retained messages.
    case forget(ModelPlace)
    case finish(center: Int)
    /// Blocks a whole center, or resumes it.
    case silence(center: Int, isBlocked: Bool)
    /// Drops the program's reference to an owner.
    case release(owner: Int)
    /// Ends what an owner observes in a center.
    case remove(owner: Int, center: Int)
    /// Calls `cancelAll()` of a bag, or drops it.
    case empty(bag: Int, byDropping: Bool)
    /// Adds so many observations that nothing is known of, and ends them again.
    case churn(ModelPlace, Int)
    /// Lets other threads run on for a moment.
    case pause(Int)
}

extension ModelProgram {
    /// Every operation of the program, those of handlers and owners included.
    var allOperations: [ModelOperation] {
        var found: [ModelOperation] = []
        _ = filtered {
            found.append($0)
            return true
        }
        return found
    }

    /// The program without those operations that `isKept` refuses, in the order of
    /// ``allOperations``.
    func filtered(_ isKept: (ModelOperation) -> Bool) -> ModelProgram {
        func filter(_ operations: [ModelOperation]) -> [ModelOperation] {
            operations.compactMap { operation in
                let isKept = isKept(operation)
                guard case .observe(var observation) = operation else {
                    return isKept ? operation : nil
                }
                observation.scripts = observation.scripts.map(filter)
                observation.last = filter(observation.last)
                return isKept ? .observe(observation) : nil
            }
        }
        var program = self
        program.setup = filter(setup)
        program.threads = threads.map(filter)
        program.owners = owners.map(filter)
        return program
    }

    /// The program without a range of ``allOperations``.
    func removing(_ range: Range<Int>) -> ModelProgram {
        var index = 0
        return filtered { _ in
            defer { index += 1 }
            return !range.contains(index)
        }
    }
}
