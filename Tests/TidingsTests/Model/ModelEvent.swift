// SPDX-License-Identifier: Apache-2.0

/// What a run of a program reports, and what the reference model expects.
///
/// Everything that takes time has a begin and an end, and on one thread they nest.
enum ModelEvent: Hashable, Sendable {
    case observing(Int)
    case observed(Int)
    case ending(Int, ModelEnd)
    case ended(Int, ModelEnd)
    case posting(Int)
    case posted(Int, recipients: Int)
    case counting(ModelPlace)
    case counted(ModelPlace, Int)
    case calling(Int, message: Int)
    case called(Int, message: Int)
    case releasing(owner: Int)
    case released(owner: Int)
    /// The deinit of an owner.
    case dying(owner: Int)
    case died(owner: Int)
    case churning(ModelPlace, Int)
    case churned(ModelPlace, Int)
    /// The release of a handler that does something then.
    case fading(Int)
    case faded(Int)
    /// Every thread has ended and the main actor has nothing left to deliver.
    case settled
}

/// How an observation is ended.
enum ModelEnd: String, CustomStringConvertible, Sendable {
    case cancel
    case drop
    /// `cancelAll()` of the bag that keeps the token.
    case bag
    case bagDrop

    var description: String { rawValue }
}
