// SPDX-License-Identifier: Apache-2.0

extension ReporterState {
    /// So much is kept of what is not told of yet.
    static let sessionLimit = 100

    mutating func count(_ loss: ReportLoss) {
        guard loss.quantity > 0 else { return }
        if let index = losses.firstIndex(where: { $0.isSameKind(as: loss) }) {
            let (sum, isTooMuch) = losses[index].quantity.addingReportingOverflow(loss.quantity)
            losses[index].quantity = isTooMuch ? .max : sum
        } else {
            losses.append(loss)
        }
    }

    /// Takes a word about a session; it takes the place of an earlier one that was not told yet.
    mutating func note(_ session: ReportedSession) {
        if let index = sessions.firstIndex(where: { $0.id == session.id }) {
            guard sessions[index].sequence < session.sequence else { return }
            let isFirst = sessions[index].isFirst
            sessions[index] = session
            sessions[index].isFirst = isFirst || session.isFirst
            return
        }
        sessions.append(session)
        while sessions.count > Self.sessionLimit {
            sessions.removeFirst()
            count(ReportLoss(reason: .spoolFull, category: .session, quantity: 1))
        }
    }

    /// Forgets what has arrived, and nothing that has come since.
    mutating func forget(_ told: ReportDelivery) {
        for loss in told.losses {
            guard let index = losses.firstIndex(where: { $0.isSameKind(as: loss) }) else {
                continue
            }
            losses[index].quantity -= loss.quantity
            if losses[index].quantity <= 0 { losses.remove(at: index) }
        }
        for session in told.sessions {
            guard let index = sessions.firstIndex(where: { $0.id == session.id }) else { continue }
            if sessions[index].sequence <= session.sequence {
                sessions.remove(at: index)
            } else {
                sessions[index].isFirst = false
            }
        }
    }

    /// Forgets all that was not told yet, and why.
    mutating func forgetUntold() {
        losses = []
        sessions = []
        lastFailure = nil
    }
}

extension ReportLoss {
    fileprivate func isSameKind(as other: ReportLoss) -> Bool {
        reason == other.reason && category == other.category
    }
}
