// SPDX-License-Identifier: Apache-2.0

/// An event that a run of a program reports, and that the reference model expects.
///
/// Everything that takes time has a begin and an end, and these events nest on one thread.
enum ModelEvent: Hashable, Sendable {
    case observing(Int)
    case observed(Int)
    case ending(Int, ModelEnd)
    case ended(Int, ModelEnd)
    case joining(Int, Int)
    case joined(Int, Int)
    case switching(Int, isBlocked: Bool)
    case switched(Int, isBlocked: Bool)
    case posting(Int)
    case posted(Int, recipients: Int)
    case counting(ModelPlace)
    case counted(ModelPlace, Int)
    case recalling(ModelPlace)
    case recalled(ModelPlace, [Int])
    case forgetting(ModelPlace)
    case forgotten(ModelPlace)
    case finishing(center: Int)
    case finished(center: Int)
    case silencing(center: Int, isBlocked: Bool)
    case silenced(center: Int, isBlocked: Bool)
    case calling(Int, message: Int)
    case called(Int, message: Int)
    /// A call of the error hook with an error of a handler.
    case failing(Int, message: Int)
    case failed(Int, message: Int)
    /// A call of the unhandled hook with a message.
    case missing(Int)
    case missed(Int)
    case releasing(owner: Int)
    case released(owner: Int)
    case removing(owner: Int, center: Int)
    case removed(owner: Int, center: Int, count: Int)
    /// The deinit of an owner.
    case dying(owner: Int)
    case died(owner: Int)
    case churning(ModelPlace, Int)
    case churned(ModelPlace, Int)
    /// The release of a handler whose release runs operations.
    case fading(Int)
    case faded(Int)
    /// Every thread has ended and the main actor has nothing left to deliver.
    case settled
}

extension ModelEvent {
    /// The event that this event ends, or nil if this event starts something.
    var begun: ModelEvent? {
        switch self {
        case .observed(let id): .observing(id)
        case .ended(let id, let kind): .ending(id, kind)
        case .joined(let first, let second): .joining(first, second)
        case .switched(let id, let isBlocked): .switching(id, isBlocked: isBlocked)
        case .posted(let number, _): .posting(number)
        case .counted(let place, _): .counting(place)
        case .recalled(let place, _): .recalling(place)
        case .forgotten(let place): .forgetting(place)
        case .finished(let center): .finishing(center: center)
        case .silenced(let center, let isBlocked):
            .silencing(center: center, isBlocked: isBlocked)
        case .called(let id, let message): .calling(id, message: message)
        case .failed(let id, let message): .failing(id, message: message)
        case .missed(let number): .missing(number)
        case .released(let owner): .releasing(owner: owner)
        case .removed(let owner, let center, _): .removing(owner: owner, center: center)
        case .died(let owner): .dying(owner: owner)
        case .churned(let place, let count): .churning(place, count)
        case .faded(let id): .fading(id)
        case .observing, .ending, .joining, .switching, .posting, .counting, .recalling,
            .forgetting, .finishing, .silencing, .calling, .failing, .missing, .releasing,
            .removing, .dying,
            .churning, .fading, .settled:
            nil
        }
    }
}

/// The way in which an observation is ended.
enum ModelEnd: String, CustomStringConvertible, Sendable {
    case cancel
    case drop
    /// `cancelAll()` of the bag that keeps the token.
    case bag
    case bagDrop
    /// The first call of an observation that is called once.
    case once
    /// The end together with all other observations of the owner.
    case removal

    var description: String { rawValue }
}
