import { describe, expect, test } from 'vitest';
import { animateFrames, captionOf, drawFrames, frameDrawer } from '../../../src/shared/draw/index.ts';
import { duelCast, frameWith, shape } from '../../support/frames.ts';

const attributes = (markup: string, name: string): Record<string, string>[] =>
  [...markup.matchAll(new RegExp(`<${name} ([^>]*?)/?>`, 'g'))].map(([, text = '']) =>
    Object.fromEntries(
      [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  );

/** Markup of the pictures, without style, paper, caption and legend. */
const picture = (svg: string): string => /<svg x=.*?<\/svg>/s.exec(svg)?.[0] ?? '';

const red = shape({ role: 'red', entity: 0, team: 0, x: 0.5, y: 0.5, extentX: 0.1 });

describe('drawFrames', () => {
  test('puts a shape where it is: x to the right, y upwards', () => {
    const svg = drawFrames([frameWith([red])], duelCast, { width: 200 });
    // 2 m and 3 % on either side are 200 px, so a metre is 94.34.
    const [body] = attributes(picture(svg), 'circle');
    expect(body).toMatchObject({ cx: '147.2', cy: '52.8', r: '9.4', class: 'f-vermillion s-paper' });
    expect(attributes(svg, 'svg')[0]).toMatchObject({ width: '220', class: 'gw', role: 'img' });
  });

  test('a heading, a level, what it holds and who plays it are drawn at the body', () => {
    const busy = { ...red, heading: Math.PI / 2, level: 0.25, flags: ['holding', 'scripted'] as const };
    const drawn = picture(drawFrames([frameWith([busy])], duelCast, { width: 200 }));
    const [line] = attributes(drawn, 'line');
    expect(line).toMatchObject({ x1: '147.2', x2: '147.2', y1: '43.4' });
    expect(Number(line?.y2)).toBeLessThan(43);
    const circles = attributes(drawn, 'circle');
    expect(circles.map(({ 'stroke-dasharray': dash }) => dash)).toContain('25 100');
    expect(circles.map(({ class: paint }) => paint)).toEqual(
      expect.arrayContaining(['s-ink', 'f-paper', 's-vermillion', 's-edge']),
    );
  });

  test('the dead are crosses, the hidden dashed, words stand beside their speaker', () => {
    const dead = picture(drawFrames([frameWith([{ ...red, flags: ['dead'], text: '7' }])], duelCast));
    expect(attributes(dead, 'circle')).toEqual([]);
    expect(attributes(dead, 'path')).toHaveLength(1);
    expect(dead).toContain('>7</text>');
    const hidden = picture(drawFrames([frameWith([{ ...red, flags: ['hidden'] }])], duelCast));
    expect(attributes(hidden, 'circle')[0]).toMatchObject({
      'stroke-dasharray': '2 2',
      'fill-opacity': '0.25',
    });
    const speaking = picture(drawFrames([frameWith([{ ...red, flags: ['speaking'], text: '3' }])], duelCast));
    expect(speaking).toContain('>“3”</text>');
  });

  test('who has left the box is in the picture, how far somebody sees does not widen it', () => {
    const at = (x: number) => ({ ...red, x });
    const width = (frames: Parameters<typeof drawFrames>[0]) =>
      Number(attributes(picture(drawFrames(frames, duelCast, { width: 200 })), 'rect')[0]?.width);
    const inside = width([frameWith([at(0)])]);
    expect(width([frameWith([at(0), shape({ kind: 'ring', role: 'sight', entity: 0, extentX: 50 })])])).toBe(
      inside,
    );
    expect(width([frameWith([at(9.9)])])).toBeLessThan(inside / 5);
    const [first, second] = attributes(
      drawFrames([frameWith([at(0)]), frameWith([at(9.9)])], duelCast),
      'rect',
    ).slice(1);
    expect(first?.width).toBe(second?.width);
  });

  test('several frames are a sheet with a caption each, one is a picture with tooltips', () => {
    const frames = [0, 4, 8].map((step) => frameWith([red], { step, status: 'red 1', regime: 'calm' }));
    const sheet = drawFrames(frames, duelCast, { columns: 2, width: 100 });
    expect([...sheet.matchAll(/<text [^>]*>(step[^<]*)</g)].map(([, caption]) => caption)).toEqual([
      'step 0, red 1, regime calm',
      'step 4, red 1, regime calm',
      'step 8, red 1, regime calm',
    ]);
    const places = attributes(sheet, 'svg')
      .slice(1)
      .map(({ x, y }) => [x, y]);
    expect(places).toEqual([
      ['10', '10'],
      ['120', '10'],
      ['10', '136'],
    ]);
    expect(sheet).not.toContain('<title>');
    expect(drawFrames(frames.slice(0, 1), duelCast)).toContain('<title>red_0</title>');
  });

  test('the legend has every team in its paint', () => {
    const svg = drawFrames([frameWith([])], duelCast);
    expect(attributes(svg, 'circle').map(({ class: paint }) => paint)).toEqual(['f-vermillion', 'f-blue']);
    expect(svg).toMatch(/>red<.*>blue</);
  });

  test('a grid has a line between any two rows and columns', () => {
    const box = { left: -0.5, bottom: -0.5, right: 2.5, top: 1.5, cell: 1 };
    const [grid] = attributes(picture(drawFrames([frameWith([], { box })], duelCast)), 'path');
    expect(grid?.d?.match(/M/g)).toHaveLength(3);
  });

  test('texts from a scenario are no markup', () => {
    const sly = shape({ kind: 'label', role: 'x', text: '<script>"&\u0000' });
    const svg = drawFrames([frameWith([sly], { status: '</svg>' })], { ...duelCast, teams: ['<b>', 'c"'] });
    expect(svg).not.toMatch(/<script|<b>/);
    expect(svg).not.toContain('\u0000');
    expect(svg).toContain('&lt;script&gt;&quot;&amp;');
    expect(svg.match(/<\/svg>/g)).toHaveLength(2);
  });

  test('without a frame there is nothing to draw', () => {
    expect(() => drawFrames([], duelCast)).toThrow('there is no frame to draw');
  });

  test('a small duel, whole', () => {
    const shapes = [
      shape({ kind: 'ring', role: 'goal', entity: 2, extentX: 0.3 }),
      shape({ role: 'landmark', entity: 2, extentX: 0.2 }),
      { ...red, level: 0.5 },
      shape({ role: 'blue', entity: 1, team: 1, x: -0.5, extentX: 0.1, flags: ['scripted'] }),
      shape({
        kind: 'line',
        role: 'attack',
        entity: 0,
        target: 1,
        team: 0,
        x: 0.5,
        y: 0.5,
        extentX: -1,
        extentY: -0.5,
      }),
    ];
    expect(picture(drawFrames([frameWith(shapes)], duelCast, { width: 100 }))).toMatchSnapshot();
  });
});

describe('animateFrames', () => {
  test('shows each frame in its share of the time, the first without any animation', () => {
    const frames = [0, 1, 2, 3].map((step) => frameWith([red], { step }));
    const svg = animateFrames(frames, duelCast, { seconds: 0.5 });
    expect(attributes(svg, 'g').map(({ visibility }) => visibility)).toEqual([
      'visible',
      'hidden',
      'hidden',
      'hidden',
    ]);
    const animations = attributes(svg, 'animate');
    expect(animations.map(({ values, keyTimes }) => [values, keyTimes])).toEqual([
      ['visible;hidden', '0;0.25'],
      ['hidden;visible;hidden', '0;0.25;0.5'],
      ['hidden;visible;hidden', '0;0.5;0.75'],
      ['hidden;visible', '0;0.75'],
    ]);
    expect(animations[0]).toMatchObject({ dur: '2s', calcMode: 'discrete', repeatCount: 'indefinite' });
  });

  test('of one frame is a still', () => {
    expect(animateFrames([frameWith([red])], duelCast)).not.toContain('<animate');
  });
});

describe('captionOf', () => {
  test('says the step, and the rest where there is any', () => {
    expect(captionOf(frameWith([], { step: 3 }))).toBe('step 3');
    expect(captionOf(frameWith([], { step: 3, status: 'red 1' }))).toBe('step 3, red 1');
  });
});

describe('frameDrawer', () => {
  const frames = [0, 9.9].map((x, step) => frameWith([shape({ entity: 0, team: 0, x })], { step }));

  test('draws every frame in the view of all of them', () => {
    const draw = frameDrawer(frames, duelCast, { width: 200 });
    const [first, last] = [draw(0), draw(1)];
    const ground = (svg: string) => attributes(picture(svg), 'rect')[0];
    expect(ground(first)).toEqual(ground(last));
    expect(first).not.toBe(last);
    expect(first).toContain('step 0');
    expect(last).toContain('step 1');
    expect(Number(ground(first)?.width)).toBeLessThan(
      Number(ground(drawFrames(frames.slice(0, 1), duelCast, { width: 200 }))?.width),
    );
  });

  test('a picture that would be too high is drawn narrower, and its legend has room', () => {
    const box = { left: 0, bottom: 0, right: 1, top: 9, cell: 0 };
    const tall = [frameWith([], { box })];
    const cast = { ...duelCast, teams: ['a team with a long name', 'another one with a long name'] };
    const [sheet, inner] = attributes(frameDrawer(tall, cast, { width: 400, height: 90 })(0), 'svg');
    expect(Number(inner?.height)).toBe(90);
    expect(Number(inner?.width)).toBeLessThan(20);
    expect(Number(sheet?.width)).toBeGreaterThan(300);
    const [, wide] = attributes(frameDrawer(tall, cast, { width: 8, height: 90 })(0), 'svg');
    expect(Number(wide?.width)).toBe(8);
  });

  test('an index without a frame is refused', () => {
    expect(() => frameDrawer(frames, duelCast)(2)).toThrow('there is no frame 2');
    expect(() => frameDrawer([], duelCast)).toThrow('there is no frame to draw');
  });
});
