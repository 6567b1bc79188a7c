// SPDX-License-Identifier: Apache-2.0

/// A random program: operations on message centers by one thread or several.
///
/// A program is a plain value. Observations, owners, bags and messages are numbers that occur once
/// in the whole program, so that a handler's script runs at most once and every program ends.
struct ModelProgram: Sendable {
    /// The largest number of centers.
    var centers = 1
    var observations = 0
    var bags = 0
    /// The operations of each owner's deinit.
    var owners: [[ModelOperation]] = []
    /// The operations before the threads start.
    var setup: [ModelOperation] = []
    /// The operations of each thread, of which a sequential program has one.
    var threads: [[ModelOperation]] = [[]]
    /// Whether a sequential program runs on the main actor.
    var isOnMain = false
    /// Whether the centers have a hook for messages without a recipient.
    var hasUnhandledHook = false
    /// Whether the centers are released before the remaining tokens.
    var tokensOutliveCenters = false
}

/// One step of a program.
///
/// A new operation needs a case here, a rule in ``ReferenceModel/perform(_:)``, an execution in
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
    /// Blocks or resumes a whole center.
    case silence(center: Int, isBlocked: Bool)
    /// Drops the program's reference to an owner.
    case release(owner: Int)
    /// Ends all observations of an owner in a center.
    case remove(owner: Int, center: Int)
    /// Empties a bag with `cancelAll()`, or drops the bag.
    case empty(bag: Int, byDropping: Bool)
    /// Adds and ends a number of observations without identity.
    case churn(ModelPlace, Int)
    /// Lets other threads run on for a moment.
    case pause(Int)
}

extension ModelProgram {
    /// Every operation of the program, including the operations of handlers and owners.
    var allOperations: [ModelOperation] {
        var found: [ModelOperation] = []
        _ = filtered {
            found.append($0)
            return true
        }
        return found
    }

    /// Returns the program without the operations that `isKept` refuses.
    ///
    /// The closure is called in the order of ``allOperations``.
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

    /// Returns the program without a range of ``allOperations``.
    func removing(_ range: Range<Int>) -> ModelProgram {
        var index = 0
        return filtered { _ in
            defer { index += 1 }
            return !range.contains(index)
        }
    }
}
