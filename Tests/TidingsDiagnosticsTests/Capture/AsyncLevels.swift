// SPDX-License-Identifier: Apache-2.0

/// Five asynchronous functions, of which the last one crashes after a suspension.
enum AsyncLevels {
    @inline(never)
    static func first() async -> Int { await second() &+ 1 }

    @inline(never)
    private static func second() async -> Int { await third() &+ 1 }

    @inline(never)
    private static func third() async -> Int { await fourth() &+ 1 }

    @inline(never)
    private static func fourth() async -> Int { await fifth() &+ 1 }

    @inline(never)
    private static func fifth() async -> Int {
        await Task.yield()
        return callCrash(.badPointer) &+ 1
    }

    /// The names of the functions, innermost first.
    static let names = ["fifth()", "fourth()", "third()", "second()", "first()"]
}
