import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestTable } from '../../src/protocol/request-table.js';
import { Roster } from '../../src/protocol/roster.js';

interface Member {
  place: number;
}

describe('a roster', () => {
  it('has those who came and have not gone, like a set', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1000 })), (steps) => {
        const roster = new Roster<Member>();
        const there = new Set<Member>();
        const gone: Member[] = [];
        for (const step of steps) {
          const leaving = [...there][Math.floor(step / 2) % Math.max(there.size, 1)];
          if (step % 2 === 0 || leaving === undefined) {
            const member: Member = { place: -1 };
            member.place = roster.add(member);
            there.add(member);
          } else {
            expect(roster.remove(leaving, leaving.place)).toBe(true);
            there.delete(leaving);
            gone.push(leaving);
          }
          expect(roster.size).toBe(there.size);
          expect(new Set(roster.all())).toEqual(there);
        }
        // Whoever has gone takes nobody's place with him when he goes again.
        for (const member of gone) expect(roster.remove(member, member.place)).toBe(false);
        expect(roster.size).toBe(there.size);
      }),
    );
  });
});

describe('a table of requests', () => {
  it('finds by id what was added and not deleted, however far apart the ids are', () => {
    const ids = fc.uniqueArray(fc.oneof(fc.nat({ max: 600 }), fc.nat()));
    fc.assert(
      fc.property(ids, fc.func(fc.boolean()), (added, isDeleted) => {
        const table = new RequestTable<{ id: number }>();
        const items = added.map((id) => ({ id }));
        for (const item of items) table.add(item);
        const [left, deleted] = [
          items.filter((item) => !isDeleted(item.id)),
          items.filter((item) => isDeleted(item.id)),
        ];
        for (const item of deleted) table.delete(item);
        for (const item of left) expect(table.get(item.id)).toBe(item);
        for (const { id } of deleted) expect(table.get(id)).toBeUndefined();
        expect(new Set(table.all())).toEqual(new Set(left));
      }),
    );
  });
});
