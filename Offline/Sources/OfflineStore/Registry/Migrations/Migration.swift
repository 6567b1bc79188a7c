// SPDX-License-Identifier: Apache-2.0
import TidingsSQLite

/// A step of the registry's schema from one version to the next.
///
/// A published step never changes, because libraries that have run the step do not run the step
/// again. To change the schema, add a file with a step, and a line at the end of `all`.
package struct Migration: Sendable {
    /// All steps in order, where the first step leads to version 1.
    package static let all: [Migration] = [
        .version1,
        .version2,
        .version3,
        .version4,
        .version5,
        .version6,
        .version7,
        .version8,
        .version9,
        .version10,
        .version11,
        .version12,
        .version13,
        .version14,
        .version15,
        .version16,
        .version17,
        .version18,
        .version19,
        .version20,
        .version21,
        .version22,
    ]

    /// Changes the tables and their rows inside the step's transaction.
    ///
    /// The closure must also run on empty tables. The foreign keys are in force.
    let change: @Sendable (SQLiteConnection) throws(SQLiteError) -> Void

    /// Creates a step from a closure.
    init(_ change: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Void) {
        self.change = change
    }

    /// Creates a step from statements, which run in order.
    init(_ statements: [String]) {
        self.init { connection throws(SQLiteError) in
            for statement in statements { try connection.execute(statement) }
        }
    }
}
