// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A request from one process to another process.
///
/// A request is also a bridged message, so that its form can change with upcasts.
///
/// ```swift
/// struct FindLesson: BridgedRequest {
///     typealias Response = Lesson
///     static let wireName: WireName = "lessons.find"
///     let id: Int
/// }
///
/// // In the process that answers, whose bridge has a `Crossing(answering: FindLesson.self)`:
/// let token = center.respond(to: FindLesson.self) { try await lessons.find($0.id) }
///
/// let lesson = try await bridge.request(FindLesson(id: 3), timeout: .seconds(2))
/// ```
public protocol BridgedRequest: BridgedMessage, Request where Response: Codable {}
